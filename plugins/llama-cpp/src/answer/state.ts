import { randomBytes } from 'node:crypto'
import type { ChatChunk } from '@sallyport/core'

/** A state of a parser that reads an answer chunk by chunk. */
export interface State {
  /** Reads what it can of a text that is not over; undefined where it needs more of it. */
  readonly take: (text: string) => Step | undefined
  /** Reads the text that was not taken when the answer is over. */
  readonly left: (text: string) => Output
  /** Whether the arguments of a call are being read. */
  readonly isInCall?: boolean
  /** Whether nothing that the model still writes belongs to the answer. */
  readonly isOver?: boolean
}

/** What was read: first text, then a chunk of another kind. */
export interface Output {
  readonly text?: string
  readonly chunk?: ChatChunk
}

export interface Step extends Output {
  readonly rest: string
  readonly next: State
}

export const asText = (text: string): Output => ({ text: text })
export const asNothing = (): Output => ({})

/** An id as OpenAI's servers give calls. */
export const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`
