/** The lines of an audit log: one JSON object each, chained by digests. */

import { hash } from 'node:crypto'

/** The kinds of lines that concern one request. */
export const requestKinds = ['admitted', 'ended', 'refused'] as const

/**
 * - `opened`: a server began to write; `up` counts from here.
 * - `recovered`: a line that was torn when an earlier server died was cut off.
 * - `rotated`: the first line of a file, but for the first file of a log.
 * - `head`: signs all lines before it.
 */
export const lineKinds = ['opened', 'recovered', 'rotated', 'head', ...requestKinds] as const

export type LineKind = (typeof lineKinds)[number]

/** What is recorded, before it has a place in the chain. Members that are undefined are left out. */
export interface AuditEvent {
  readonly kind: LineKind
  readonly [field: string]: unknown
}

/** A line of the chain by its number, which begins at 1, and its SHA-256, in hexadecimal. */
export interface ChainLink {
  readonly seq: number
  readonly digest: string
}

/** What the first line of a log names as the line before it. */
export const beginning: ChainLink = { seq: 0, digest: '0'.repeat(64) }

/** The digest of a line as written, without its line feed. */
export const digestOf = (line: string | Uint8Array): string => hash('sha256', line)

/** @param stamp JSON text of members that stand first, with a comma after each */
export const chainedLine = ({ seq, digest }: ChainLink, event: object, stamp = ''): string =>
  `{"seq":${seq + 1},"prev":"${digest}",${stamp}${JSON.stringify(event).slice(1)}`

/** A line as it was read. */
export interface AuditLine {
  readonly seq: number
  readonly prev: string
  readonly kind: LineKind
  /** ISO 8601. */
  readonly time: string
  readonly [field: string]: unknown
}

const isKind = (kind: unknown): kind is LineKind => lineKinds.some((known) => known === kind)

/** Parses a line; undefined where it is none. */
export const parseLine = (text: string): AuditLine | undefined => {
  let value: Partial<AuditLine> | null
  try {
    value = JSON.parse(text) as Partial<AuditLine> | null
  } catch {
    return undefined
  }
  const { seq, prev, kind, time } = value ?? {}
  const isLine = Number.isSafeInteger(seq) && typeof prev === 'string' && isKind(kind) && typeof time === 'string'
  return isLine ? (value as AuditLine) : undefined
}
