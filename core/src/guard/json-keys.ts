/** Keys of objects in texts that are JSON. */

import { distinctKeys } from './distinct-keys.js'
import type { RewrittenKey } from './distinct-keys.js'
import { signAt, stringSpans } from './json-text.js'
import type { Span } from './readings.js'
import { countUpTo } from './sorted.js'
import { splice } from './splice.js'

/** Its span has the quotes. */
interface Key extends RewrittenKey, Span {}

/**
 * The text, with the keys of each of its objects apart.
 * @param json is JSON
 * @param written spans of it that were replaced, in their order
 */
export const withDistinctKeys = (json: string, written: readonly Span[]): string => {
  const ends = written.map(({ end }) => end)
  const isNew = ({ start, end }: Span) => (written[countUpTo(ends, start)]?.start ?? Infinity) < end
  const numbers = objectsIn(json, isNew).flatMap((keys) => {
    if (!keys.some((key) => key.isNew)) return []
    const distinct = distinctKeys(keys)
    return keys.map(({ key, end }, at) => ({
      start: end - 1,
      end: end - 1,
      number: distinct[at]?.slice(key.length) ?? '',
    }))
  })
  const places = numbers.filter(({ number }) => number).sort((one, other) => one.start - other.start)
  return splice(
    json,
    places,
    places.map(({ number }) => number),
  ).text
}

/** The keys of every object. */
const objectsIn = (json: string, isNew: (span: Span) => boolean): readonly Key[][] => {
  const objects: Key[][] = []
  const around: Key[][] = []
  let from = 0
  for (const span of stringSpans(json)) {
    for (const bracket of json.slice(from, span.start).match(/[{}]/g) ?? []) {
      if (bracket === '{') objects.push(around[around.push([]) - 1] ?? [])
      else around.pop()
    }
    from = span.end
    if (signAt(json, from) !== ':') continue
    const key = String(JSON.parse(json.slice(span.start, span.end)))
    around.at(-1)?.push({ ...span, key, isNew: isNew(span) })
  }
  return objects
}
