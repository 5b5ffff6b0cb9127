/** Keeps the keys of JSON objects distinct after replacements. */

import type { Pacer } from '@sallyport/kit/async'
import { nextNonBlank, stringSpans } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'
import { countUpTo } from '@sallyport/kit/lists'
import { distinctKeys } from '../fields/distinct-keys.js'
import { splice } from './splice.js'

/** A key whose span includes the quotes. */
interface Key extends Span {
  /** Whether something in it was replaced. */
  readonly isReplaced: boolean
}

/**
 * Makes the keys of each object distinct. Only objects with a replaced key are read.
 * @param json a valid JSON text
 * @param replacements the spans of the replacements in it, in order
 */
export const withDistinctKeys = async (json: string, replacements: readonly Span[], pacer: Pacer): Promise<string> => {
  const ends = replacements.map(({ end }) => end)
  const isReplaced = ({ start, end }: Span) => (replacements[countUpTo(ends, start)]?.start ?? Infinity) < end
  const suffixes: (Span & { readonly suffix: string })[] = []
  for (const keys of await keysByObject(json, isReplaced, pacer))
    if (keys.some((key) => key.isReplaced))
      for (const suffix of await suffixesOf(json, keys, pacer)) suffixes.push(suffix)
  const ordered = suffixes.sort((one, other) => one.start - other.start)
  return splice(
    json,
    ordered,
    ordered.map(({ suffix }) => suffix),
  ).text
}

/** The suffixes for keys of an object that equal another one, with the position of each. */
const suffixesOf = async (json: string, keys: readonly Key[], pacer: Pacer) => {
  const names: string[] = []
  for (const { start, end } of keys) {
    if (pacer.isDue) await pacer.pause()
    names.push(String(JSON.parse(json.slice(start, end))))
  }
  const distinct = distinctKeys(keys.map(({ isReplaced }, at) => ({ key: names[at] ?? '', isReplaced })))
  return keys.flatMap(({ end }, at) => {
    const suffix = distinct[at]?.slice(names[at]?.length) ?? ''
    return suffix ? [{ start: end - 1, end: end - 1, suffix }] : []
  })
}

/** The keys of every object, grouped by object. */
const keysByObject = async (
  json: string,
  isReplaced: (span: Span) => boolean,
  pacer: Pacer,
): Promise<readonly Key[][]> => {
  const objects: Key[][] = []
  const openObjects: Key[][] = []
  let from = 0
  for (const span of stringSpans(json)) {
    if (pacer.isDue) await pacer.pause()
    for (const bracket of json.slice(from, span.start).match(/[{}]/g) ?? []) {
      if (bracket === '{') {
        const keys: Key[] = []
        objects.push(keys)
        openObjects.push(keys)
      } else openObjects.pop()
    }
    from = span.end
    if (nextNonBlank(json, from) === ':') openObjects.at(-1)?.push({ ...span, isReplaced: isReplaced(span) })
  }
  return objects
}
