/** The first message to the rendering process. */
export interface RenderSetup {
  readonly template: string
  /** The maximum number of characters in a rendered prompt. */
  readonly maxOutputLength: number
}

/** The variables of a chat template (Hugging Face's conventions). */
export interface TemplateVariables {
  readonly messages: readonly TemplateMessage[]
  readonly tools?: readonly TemplateTool[]
  readonly add_generation_prompt: boolean
  readonly reasoning_effort?: 'low' | 'medium' | 'high'
  readonly bos_token: string
  readonly eos_token: string
}

export interface TemplateMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string
  readonly reasoning_content?: string
  readonly tool_call_id?: string
  readonly tool_calls?: readonly TemplateToolCall[]
}

export interface TemplateToolCall {
  readonly type: 'function'
  readonly id: string
  readonly function: { readonly name: string; readonly arguments: unknown }
}

export interface TemplateTool {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description?: string; readonly parameters: unknown }
}

/** The first reply is `ready` or `broken`; then there is one per set of variables. */
export type RenderReply =
  | { readonly type: 'ready' }
  | { readonly type: 'broken'; readonly reason: string }
  | { readonly type: 'rendered'; readonly text: string }
  /** The output is longer than it may be. */
  | { readonly type: 'oversized' }
  /** The template itself objects (`raise_exception`), or fails on these messages. */
  | { readonly type: 'refused'; readonly reason: string }
