import { toUSVString } from 'node:util'
import { failure } from '@sallyport/core'
import { showPath } from '@sallyport/kit/json'
import type { Path } from '@sallyport/kit/json'

/** What may be wrong in JSON that parses: escapes (half a surrogate pair, a disguised key), endless numbers, prototypes. */
const suspicious = /__proto__|\\u[\da-fA-F]{4}|[eE]\+?\d{3}|(?<!\d)\d{300}/

/**
 * Refuses numbers beyond the range of a double and the key `__proto__`; halves of surrogate pairs become U+FFFD, as
 * they would in UTF-8. The value is changed in place. Only text that could need it is walked.
 * @throws invalid_request
 */
export const sanitize = async (text: string, value: unknown, pause: () => Promise<void>): Promise<unknown> =>
  (await isSuspicious(text, pause)) ? clean(value, []) : value

/** UTF-16 units that are searched between two pauses, and of what begins in one slice and ends in the next. */
const [slice, longest] = [2 ** 18, 512]

const isSuspicious = async (text: string, pause: () => Promise<void>): Promise<boolean> => {
  for (let from = 0; from < text.length; from += slice) {
    if (suspicious.test(text.slice(Math.max(0, from - longest), from + slice))) return true
    if (from + slice < text.length) await pause()
  }
  return false
}

const clean = (value: unknown, path: Path): unknown => {
  if (typeof value === 'string') return toUSVString(value)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw failure('invalid_request', { field: showPath(path), problem: 'the number is too large' })
  if (Array.isArray(value)) return value.map((item, index) => clean(item, [...path, index]))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => cleanEntry(key, inner, path)))
}

const cleanEntry = (key: string, value: unknown, path: Path): [string, unknown] => {
  const place = [...path, key]
  if (key === '__proto__')
    throw failure('invalid_request', { field: showPath(place), problem: 'a field of this name is not allowed' })
  return [toUSVString(key), clean(value, place)]
}
