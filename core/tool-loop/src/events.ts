import type { ChatChunk, ChatMessage, ToolCall, Usage, Finish } from '@sallyport/core'

/** A chunk of the model's output: text, reasoning, or a call of one of the caller's functions. */
export type AnswerChunk = Exclude<ChatChunk, Finish>

/** A call of a remote tool, or of one that was never offered, as the model made it. */
export interface RemoteCall {
  /** Unique in the conversation. */
  readonly id: string
  /** Label of the server; absent for a tool that is not offered. */
  readonly server?: string
  /** The tool's name on its server; for a tool that is not offered, the name that the model wrote. */
  readonly name: string
  /** A JSON string, as the model wrote it. */
  readonly arguments: string
}

/** The result of a call that the model reads. */
export interface CallOutcome {
  readonly output: string
  /** Whether the call failed: the output then says why. */
  readonly failed: boolean
}

/** The limit at which a loop ended before the model had answered. */
export type LoopLimit =
  /** The highest number of steps. */
  | 'steps'
  /** The time limit of the whole loop. */
  | 'time'
  /** The tokens of the answer: `maxTokens`, or a limit of the model's own. */
  | 'tokens'
  /** The model's context, into which the results of the tools do not fit. */
  | 'context'
  /**
   * The number of remote calls: asked to answer without further ones, the model gave no answer, an invalid one, or called
   * again.
   */
  | 'calls'
  /** The number of times that the model may make the same call. */
  | 'repeated'
  /** A content filter of the model or of its server. */
  | 'content_filter'
  /**
   * After results of tools, while it still could call tools, the model gave an invalid answer or called a tool that it
   * may not call.
   */
  | 'invalid_output'

export type LoopEnd =
  | { readonly reason: 'answered' }
  /** The caller runs these functions and continues the conversation with their results. */
  | { readonly reason: 'functions'; readonly functions: readonly ToolCall[] }
  | { readonly reason: 'incomplete'; readonly limit: LoopLimit }

/** How a call ended. */
export interface CallReport {
  readonly outcome: CallOutcome
  /** Milliseconds. */
  readonly duration: number
  /** The error of a failed call, for the log: its message is not for clients. */
  readonly cause?: unknown
}

export type ToolLoopEvent =
  /** `step` counts the questions to the model, from 0. */
  | { readonly type: 'chunk'; readonly step: number; readonly chunk: AnswerChunk }
  | { readonly type: 'call_begun'; readonly step: number; readonly call: RemoteCall }
  | ({ readonly type: 'call_ended'; readonly step: number; readonly call: RemoteCall } & CallReport)
  /** The last event, exactly once. */
  | {
      readonly type: 'end'
      readonly end: LoopEnd
      /** The sum over the steps that reported any; absent where none did. */
      readonly usage?: Usage
      /** The messages that the loop has added to those of the request. */
      readonly messages: readonly ChatMessage[]
    }
