import { randomUUID } from 'node:crypto'

/** @param prefix such as `chat` or `emb` */
export const newId = (prefix: string): string => `${prefix}-${randomUUID()}`

/** `resp_`, `msg_`… + 32 hex digits: the form of the ids of responses and their items. */
export const newHexId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll('-', '')}`

/** The fields with which every answer begins. */
export interface Envelope {
  readonly id: string
  readonly object: string
  /** Unix seconds. */
  readonly created: number
  readonly model?: string
}

/** Scores never reach 0 or 1, so that they never print as integers: some clients then read another type. */
export const wireScore = (score: number): number => Math.min(1 - 1e-6, Math.max(1e-6, score))

/** Rounds to tenths of a millisecond. */
export const roundedMilliseconds = (milliseconds: number): number => Math.round(milliseconds * 10) / 10
