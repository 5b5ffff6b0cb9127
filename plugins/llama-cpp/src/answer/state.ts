import { randomBytes } from 'node:crypto'
import type { ChatChunk } from '@sallyport/core'

/** A state of a parser that reads an answer chunk by chunk. */
export interface ParserState {
  /** Reads what it can of a text that is not over; undefined where it needs more text. */
  readonly take: (text: string) => ParserStep | undefined
  /** Reads the remaining text when the answer is over. */
  readonly finish: (text: string) => ParserOutput
  /** Whether the arguments of a call are being read. */
  readonly isInCall?: boolean
  /** Whether nothing that the model still writes belongs to the answer. */
  readonly isOver?: boolean
}

/** What was read: text, then a chunk of another kind. */
export interface ParserOutput {
  readonly text?: string
  readonly chunk?: ChatChunk
}

export interface ParserStep extends ParserOutput {
  readonly rest: string
  readonly next: ParserState
}

export const asText = (text: string): ParserOutput => ({ text })
export const asIgnored = (): ParserOutput => ({})

/** An id in the form of OpenAI's servers. */
export const newCallId = (): string => `call_${randomBytes(12).toString('hex')}`
