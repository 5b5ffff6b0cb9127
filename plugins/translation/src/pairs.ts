import { failure } from '@sallyport/core'
import type { LanguagePair } from '@sallyport/core'

/** The canonical form of a BCP-47 tag; undefined where it is not valid. */
export const canonicalTag = (written: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(written)[0]
  } catch {
    return undefined
  }
}

/** The canonical form of a tag in an option. @throws model_invalid where it is not valid */
export const checkedTag = (model: string, written: string, option: readonly (string | number)[]): string => {
  const tag = canonicalTag(written)
  if (tag !== undefined) return tag
  const problem = `its option ${String(option[0])} names "${written.slice(0, 40)}", which is not a BCP-47 language tag`
  throw failure('model_invalid', { model, problem, option })
}

/** The tag and its more general ones: `zh-Hant-TW`, `zh-Hant`, `zh`. */
const fallbackTags = (tag: string): string[] => {
  const subtags = tag.split('-')
  return subtags.map((_, index) => subtags.slice(0, subtags.length - index).join('-'))
}

/** The script of a language, such as `Hant` for `zh-TW`; undefined where it is not known. */
export const scriptOf = (tag: string): string | undefined =>
  canonicalTag(tag) === undefined ? undefined : new Intl.Locale(tag).maximize().script

/**
 * The available language that serves a requested one: the same, a more general one, or else one of its regions, always
 * in the same script.
 */
const bestTag = (requested: string, available: readonly string[]): string | undefined => {
  const readable = available.filter((tag) => tag === requested || scriptOf(tag) === scriptOf(requested))
  return (
    fallbackTags(requested).find((tag) => readable.includes(tag)) ??
    readable.find((tag) => tag.split('-')[0] === requested.split('-')[0])
  )
}

/** The available pair that serves a requested one: `en` to `de` serves `en-GB` to `de`. */
export const findPair = <Pair extends LanguagePair>(
  { source, target }: LanguagePair,
  available: readonly Pair[],
): Pair | undefined => {
  const sources = available.filter((pair) => bestTag(target, [pair.target]) !== undefined).map((pair) => pair.source)
  const bestSource = bestTag(source, sources)
  const matches = available.filter((pair) => pair.source === bestSource)
  const targets = matches.map((pair) => pair.target)
  const bestTarget = bestTag(target, targets)
  return matches.find((pair) => pair.target === bestTarget)
}

/** The pairs without duplicates. */
export const distinctPairs = (pairs: Iterable<LanguagePair>): LanguagePair[] => {
  const known = new Map<string, LanguagePair>()
  for (const { source, target } of pairs) known.set(`${source} ${target}`, { source, target })
  return [...known.values()]
}

/** The pairs from every source to every other target. */
export const crossPairs = (sources: readonly string[], targets: readonly string[]): LanguagePair[] => {
  const pairs = sources.flatMap((source) => targets.map((target) => ({ source, target })))
  return distinctPairs(pairs.filter(({ source, target }) => source !== target))
}

/** The error for a pair that is not available; it lists the available ones. */
export const unsupportedPair = ({ source, target }: LanguagePair, available: readonly LanguagePair[]) =>
  failure('unsupported', { problem: `no translation from ${source} to ${target}; there are: ${listed(available)}` })

/** `de to en, fr; en to de` */
const listed = (pairs: readonly LanguagePair[]): string => {
  const targets = new Map<string, string[]>()
  for (const { source, target } of distinctPairs(pairs)) targets.set(source, [...(targets.get(source) ?? []), target])
  return [...targets].map(([source, list]) => `${source} to ${list.join(', ')}`).join('; ') || 'none'
}
