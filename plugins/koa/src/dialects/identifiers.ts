import { randomUUID } from 'node:crypto'

export type IdPrefix =
  'chat' | 'cmpl' | 'emb' | 'rerank' | 'token' | 'fact' | 'toxi' | 'injection' | 'pii' | 'modr' | 'translation'

export const newId = (prefix: IdPrefix): string => `${prefix}-${randomUUID()}`

/** What every answer begins with. */
export interface Envelope {
  readonly id: string
  readonly object: string
  /** Unix seconds. */
  readonly created: number
  readonly model?: string
}
