import type { ChatChunk } from '@sallyport/core'

/** Where an answer stands that is read piece by piece. */
export interface State {
  /** Takes what it can of a text that is not over; undefined where there must be more of it. */
  readonly take: (text: string) => Step | undefined
  /** What of the answer the text is that was not taken when the answer is over. */
  readonly left: (text: string) => Output
  /** Within a call's arguments. */
  readonly isInCall?: boolean
  /** Nothing of what the model still writes belongs to the answer. */
  readonly isOver?: boolean
}

/** Text comes first in what was taken. */
export interface Output {
  readonly said?: string
  readonly chunk?: ChatChunk
}

export interface Step extends Output {
  readonly rest: string
  readonly next: State
}

export const asText = (text: string): Output => ({ said: text })
export const asNothing = (): Output => ({})
