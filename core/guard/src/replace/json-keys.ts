/** Keys of objects in texts that are JSON. */

import type { Pacer } from '@sallyport/kit/async'
import { firstFrom, stringSpans } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'
import { distinctKeys } from '../fields/distinct-keys.js'
import { splice } from './splice.js'

/** Its span has the quotes. */
interface Key extends Span {
  /** Whether something in it was replaced. */
  readonly isNew: boolean
}

/**
 * The text, with the keys of each of its objects apart. Only those of objects with a new one are read.
 * @param json is JSON
 * @param written spans of it that were replaced, in their order
 */
export const withDistinctKeys = async (json: string, written: readonly Span[], pacer: Pacer): Promise<string> => {
  const ends = written.map(({ end }) => end)
  const isNew = ({ start, end }: Span) => (written[countUpTo(ends, start)]?.start ?? Infinity) < end
  const numbers: (Span & { readonly number: string })[] = []
  for (const keys of await objectsIn(json, isNew, pacer))
    if (keys.some((key) => key.isNew)) for (const number of await numbersOf(json, keys, pacer)) numbers.push(number)
  const places = numbers.sort((one, other) => one.start - other.start)
  return splice(
    json,
    places,
    places.map(({ number }) => number),
  ).text
}

/** What is written at the ends of those keys of an object that are there already. */
const numbersOf = async (json: string, keys: readonly Key[], pacer: Pacer) => {
  const read: string[] = []
  for (const { start, end } of keys) {
    if (pacer.isDue) await pacer.pause()
    read.push(String(JSON.parse(json.slice(start, end))))
  }
  const distinct = distinctKeys(keys.map(({ isNew }, at) => ({ key: read[at] ?? '', isNew })))
  return keys.flatMap(({ end }, at) => {
    const number = distinct[at]?.slice(read[at]?.length) ?? ''
    return number ? [{ start: end - 1, end: end - 1, number }] : []
  })
}

/** The keys of every object. */
const objectsIn = async (json: string, isNew: (span: Span) => boolean, pacer: Pacer): Promise<readonly Key[][]> => {
  const objects: Key[][] = []
  const around: Key[][] = []
  let from = 0
  for (const span of stringSpans(json)) {
    if (pacer.isDue) await pacer.pause()
    for (const bracket of json.slice(from, span.start).match(/[{}]/g) ?? []) {
      if (bracket === '{') objects.push(around[around.push([]) - 1] ?? [])
      else around.pop()
    }
    from = span.end
    if (firstFrom(json, from) === ':') around.at(-1)?.push({ ...span, isNew: isNew(span) })
  }
  return objects
}
