/** Keeps the keys of JSON objects distinct after replacements. */

import type { Pacer } from '@sallyport/kit/async'
import { firstFrom, stringSpans } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'
import { distinctKeys } from '../fields/distinct-keys.js'
import { splice } from './splice.js'

/** A key whose span includes the quotes. */
interface Key extends Span {
  /** Whether something in it was replaced. */
  readonly isNew: boolean
}

/**
 * Makes the keys of each object distinct. Only objects with a replaced key are read.
 * @param json is JSON
 * @param written the replaced spans, in their order
 */
export const withDistinctKeys = async (json: string, written: readonly Span[], pacer: Pacer): Promise<string> => {
  const ends = written.map(({ end }) => end)
  const isNew = ({ start, end }: Span) => (written[countUpTo(ends, start)]?.start ?? Infinity) < end
  const suffixes: (Span & { readonly suffix: string })[] = []
  for (const keys of await keysByObject(json, isNew, pacer))
    if (keys.some((key) => key.isNew)) for (const suffix of await suffixesOf(json, keys, pacer)) suffixes.push(suffix)
  const places = suffixes.sort((one, other) => one.start - other.start)
  return splice(
    json,
    places,
    places.map(({ suffix }) => suffix),
  ).text
}

/** The suffixes for keys of an object that equal another one, with the position of each. */
const suffixesOf = async (json: string, keys: readonly Key[], pacer: Pacer) => {
  const names: string[] = []
  for (const { start, end } of keys) {
    if (pacer.isDue) await pacer.pause()
    names.push(String(JSON.parse(json.slice(start, end))))
  }
  const distinct = distinctKeys(keys.map(({ isNew }, at) => ({ key: names[at] ?? '', isNew })))
  return keys.flatMap(({ end }, at) => {
    const suffix = distinct[at]?.slice(names[at]?.length) ?? ''
    return suffix ? [{ start: end - 1, end: end - 1, suffix }] : []
  })
}

/** The keys of every object, grouped by object. */
const keysByObject = async (json: string, isNew: (span: Span) => boolean, pacer: Pacer): Promise<readonly Key[][]> => {
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
