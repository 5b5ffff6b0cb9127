import type { ChatChunk, ChatMessage, ToolCall, Usage, Finish } from '@sallyport/core'

/** A chunk of what the model says: text, reasoning, or a call of one of the caller's functions. */
export type SpokenChunk = Exclude<ChatChunk, Finish>

/** A call of a remote tool, or of one that was never offered, as the model made it. */
export interface RemoteCall {
  /** Unique in the conversation. */
  readonly id: string
  /** Label of the server; absent where no such tool is offered. */
  readonly server?: string
  /** The tool's own name on its server; that which the model wrote, where no such tool is offered. */
  readonly name: string
  /** JSON text, as the model wrote it. */
  readonly arguments: string
}

/** What the model is told of a call. */
export interface CallOutcome {
  readonly output: string
  /** Whether the output says why there is no result. */
  readonly failed: boolean
}

/** Why a loop ended before the model had answered. */
export type LoopLimit =
  /** The model was asked as often as it may be. */
  | 'steps'
  /** The time was over. */
  | 'time'
  /** All tokens of the answer are used up. */
  | 'tokens'
  /** What the tools answered does not fit into the model's context. */
  | 'context'
  /** No more remote calls may be made, and without them the model said nothing, or called again. */
  | 'calls'
  /** The model made the same call once too often. */
  | 'repeated'
  /** The model, or the server behind it, refused to go on. */
  | 'content_filter'
  /** Behind results of tools, the model's answer was not what was asked for, or called what it may not call. */
  | 'invalid_output'

export type LoopEnd =
  | { readonly reason: 'answered' }
  /** The caller runs these functions and continues the conversation with what they return. */
  | { readonly reason: 'functions'; readonly functions: readonly ToolCall[] }
  | { readonly reason: 'incomplete'; readonly limit: LoopLimit }

export type ToolLoopEvent =
  /** `step` counts from 0: each is one question to the model. */
  | { readonly type: 'chunk'; readonly step: number; readonly chunk: SpokenChunk }
  | { readonly type: 'call_begun'; readonly step: number; readonly call: RemoteCall }
  | {
      readonly type: 'call_ended'
      readonly step: number
      readonly call: RemoteCall
      readonly outcome: CallOutcome
      /** Milliseconds. */
      readonly duration: number
      /** What failed, for a log: its text is not for clients. */
      readonly cause?: unknown
    }
  /** The last one, exactly once. */
  | {
      readonly type: 'end'
      readonly end: LoopEnd
      /** Over all steps; absent where no step reported any. */
      readonly usage?: Usage
      /** What the conversation has become behind the request's messages. */
      readonly messages: readonly ChatMessage[]
    }
