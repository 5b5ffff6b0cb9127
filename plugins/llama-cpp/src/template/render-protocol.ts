/** What the rendering process is started with: its first message. */
export interface RenderSetup {
  readonly template: string
  /** Characters of a rendered prompt at most. */
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

/** `ready` or `broken` comes once; then one answer per set of variables. */
export type RenderReply =
  | { readonly type: 'ready' }
  | { readonly type: 'broken'; readonly reason: string }
  | { readonly type: 'rendered'; readonly text: string }
  /** The output is longer than it may be. */
  | { readonly type: 'oversized' }
  /** The template itself objects (`raise_exception`), or fails on these messages. */
  | { readonly type: 'refused'; readonly reason: string }
