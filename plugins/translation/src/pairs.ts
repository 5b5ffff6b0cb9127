import { failure } from '@sallyport/core'
import type { LanguagePair } from '@sallyport/core'

/** The canonical BCP-47 tag; undefined for what is none. */
export const canonicalTag = (written: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(written)[0]
  } catch {
    return undefined
  }
}

/** @throws model_invalid where an option says what is no language */
export const checkedTag = (model: string, written: string, option: readonly (string | number)[]): string => {
  const tag = canonicalTag(written)
  if (tag !== undefined) return tag
  const problem = `its option ${String(option[0])} names "${written.slice(0, 40)}", which is no BCP-47 language tag`
  throw failure('model_invalid', { model, problem, option })
}

/** The tag and what it becomes when it says less: `zh-Hant-TW`, `zh-Hant`, `zh`. */
const widened = (tag: string): string[] => {
  const subtags = tag.split('-')
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'))
}

/** `Hant` of `zh-TW`; undefined for what has none that is known. */
const scriptOf = (tag: string): string | undefined =>
  canonicalTag(tag) === undefined ? undefined : new Intl.Locale(tag).maximize().script

/**
 * The first of these languages that serves who asks for one: itself, a wider one, or else one of its regions, all of
 * them in the script that is asked for.
 */
const bestTag = (asked: string, there: readonly string[]): string | undefined => {
  const readable = there.filter((tag) => tag === asked || scriptOf(tag) === scriptOf(asked))
  return (
    widened(asked).find((tag) => readable.includes(tag)) ??
    readable.find((tag) => tag.split('-')[0] === asked.split('-')[0])
  )
}

/** The pair of an engine that serves the pair that is asked for: `en-GB` to `de` where there is `en` to `de`. */
export const servingPair = (asked: LanguagePair, there: readonly LanguagePair[]): LanguagePair | undefined => {
  const matches = there.filter(({ target }) => bestTag(asked.target, [target]) !== undefined)
  const source = bestTag(
    asked.source,
    matches.map((pair) => pair.source),
  )
  const target = bestTag(
    asked.target,
    matches.filter((pair) => pair.source === source).map((pair) => pair.target),
  )
  return source === undefined || target === undefined ? undefined : { source, target }
}

/** Each pair once. */
export const distinctPairs = (pairs: Iterable<LanguagePair>): LanguagePair[] => {
  const known = new Map<string, LanguagePair>()
  for (const { source, target } of pairs) known.set(`${source} ${target}`, { source, target })
  return [...known.values()]
}

/** From every language to every other one. */
export const crossPairs = (sources: readonly string[], targets: readonly string[]): LanguagePair[] =>
  distinctPairs(
    sources.flatMap((source) => targets.flatMap((target) => (source === target ? [] : [{ source, target }]))),
  )

/** The refusal of a pair, which lists what there is. */
export const unsupportedPair = ({ source, target }: LanguagePair, there: readonly LanguagePair[]) =>
  failure('unsupported', { problem: `no translation from ${source} to ${target}; there are: ${listed(there)}` })

/** `de to en, fr; en to de` */
const listed = (pairs: readonly LanguagePair[]): string => {
  const targets = new Map<string, string[]>()
  for (const { source, target } of pairs) targets.set(source, [...(targets.get(source) ?? []), target])
  return [...targets].map(([source, list]) => `${source} to ${list.join(', ')}`).join('; ') || 'none'
}
