import { randomUUID } from 'node:crypto'

/** What stands before the number of an id: `chat`, `emb`. */
export type IdPrefix = string

export const newId = (prefix: IdPrefix): string => `${prefix}-${randomUUID()}`

/** `resp_`, `msg_`… + 32 hex digits, as responses and what they are made of are called. */
export const newHexId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`

/** What every answer begins with. */
export interface Envelope {
  readonly id: string
  readonly object: string
  /** Unix seconds. */
  readonly created: number
  readonly model?: string
}

/** Scores never reach 0 or 1, so that they never print as integers: some clients then read another type. */
export const wireScore = (score: number): number => Math.min(1 - 1e-6, Math.max(1e-6, score))

/** To tenths. */
export const roundedMilliseconds = (milliseconds: number): number => Math.round(milliseconds * 10) / 10
