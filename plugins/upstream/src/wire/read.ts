/** Reads responses of another server. No value is trusted to have the documented type. */

import { toUSVString } from 'node:util'
import { isRecord } from '@sallyport/kit/json'

/** The upstream server sent an invalid response. The message never quotes it. */
export class BadReply extends Error {
  override readonly name = 'BadReply'
}

export type Fields = Readonly<Record<string, unknown>>

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined

/** @throws BadReply */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new BadReply('it sent malformed JSON')
  }
}

/** An object, empty where there is none. @throws BadReply */
export const fieldsOf = (value: unknown, what: string): Fields => {
  if (isAbsent(value)) return {}
  if (isRecord(value)) return value
  throw new BadReply(`${what} is not an object`)
}

/** A list, empty where there is none. @throws BadReply */
export const listOf = (value: unknown, what: string): readonly unknown[] => {
  if (isAbsent(value)) return []
  if (Array.isArray(value)) return value
  throw new BadReply(`${what} is not a list`)
}

/** A string, empty where there is none; it may have halves of surrogate pairs. @throws BadReply */
export const textOf = (value: unknown, what: string): string => {
  if (isAbsent(value)) return ''
  if (typeof value === 'string') return value
  throw new BadReply(`${what} is not a string`)
}

/** A count, or undefined for anything else. */
export const countOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined

/** A well-formed string that is not empty; undefined for anything else. */
export const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? toUSVString(value) : undefined
