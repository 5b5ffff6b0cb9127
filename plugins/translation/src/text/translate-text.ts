import { failure, loggable } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { layoutOf } from './layout.js'
import type { LayoutOptions, LayoutPart } from './layout.js'
import { damagedItems, hasWords } from './protected.js'
import { endsSentence } from './sentences.js'

export interface TextOptions extends LayoutOptions {
  /** The language of the translation; a BCP-47 tag. */
  readonly target: string
}

/** Translates units without line breaks independently, and returns one translation per unit, in their order. */
export type TranslateUnits = (units: readonly string[]) => Promise<readonly string[]>

/**
 * Translates the sentences of a text and keeps its layout and the items of `protected.ts`. Where the translation of a
 * unit has lost an item, the parts of the unit around the item are translated separately.
 */
export const translateText = async (
  text: string,
  options: TextOptions,
  translate: TranslateUnits,
  call: Call,
): Promise<string> => {
  const pacer = new Pacer(call)
  const parts: LayoutPart[] = []
  for (const part of layoutOf(text, options)) {
    parts.push(part)
    await pacer.pause()
  }
  const units = [...new Set(parts.flatMap((part) => ('words' in part ? [part.words] : [])))]
  const translations = await translateUnits(units, { translate, pacer, target: options.target })
  const translated = parts.map((part) => {
    if ('kept' in part) return part.kept
    const translation = translations.get(part.words) ?? ''
    return part.width === undefined ? translation : wrapLines(translation, part.width)
  })
  return translated.join('')
}

interface RepairContext {
  readonly target: string
  readonly translate: TranslateUnits
  readonly pacer: Pacer
}

/** The translations by unit. The recursion ends because each part of a unit has fewer items. */
const translateUnits = async (
  units: readonly string[],
  { translate, pacer, target }: RepairContext,
): Promise<ReadonlyMap<string, string>> => {
  if (units.length === 0) return new Map()
  const translations = await translate(units)
  pacer.call.signal.throwIfAborted()
  const { length } = translations
  if (length !== units.length)
    throw failure('internal', {}, { cause: loggable(new Error(`${length} translations of ${units.length} units`)) })
  const found = new Map<string, string>()
  const broken = new Map<string, readonly string[]>()
  for (const [index, unit] of units.entries()) {
    await pacer.pause()
    const translation = tidy(unit, translations[index] ?? '')
    found.set(unit, translation)
    const parts = partsAround(unit, translation)
    if (parts.length > 0) broken.set(unit, parts)
  }
  const words = [...broken.values()].flat().filter(hasWords)
  const repaired = await translateUnits([...new Set(words.map((part) => part.trim()))], { translate, pacer, target })
  for (const [unit, parts] of broken)
    found.set(unit, parts.map((part) => translatedPart(part, repaired, target)).join(''))
  return found
}

/** The text split at the items that its translation has damaged; empty where there are none. */
const partsAround = (text: string, translation: string): string[] => {
  const damaged = damagedItems(text, translation)
  if (damaged.length === 0) return []
  const parts: string[] = []
  let from = 0
  for (const { start, end } of damaged) {
    parts.push(text.slice(from, start), text.slice(start, end))
    from = end
  }
  return [...parts, text.slice(from)].filter((part) => part !== '')
}

const translatedPart = (part: string, translations: ReadonlyMap<string, string>, target: string): string => {
  const words = part.trim()
  const start = part.indexOf(words)
  const translation = matchInitialCase(words, translations.get(words) ?? words, target)
  return part.slice(0, start) + translation + part.slice(start + words.length)
}

/** Lower-cases the first letter of a part inside a sentence, but in German it may be that of a noun. */
const matchInitialCase = (words: string, translation: string, target: string): string =>
  /^\p{Ll}/u.test(words) && /^\p{Lu}\p{Ll}/u.test(translation) && !/^de\b/.test(target)
    ? translation.charAt(0).toLowerCase() + translation.slice(1)
    : translation

/** Puts a translation on one line, and removes a full stop that the text does not have. */
const tidy = (text: string, translation: string): string => {
  const line = translation.replace(/\s+/gu, (space) => (/[\r\n\u2028\u2029\v\f]/.test(space) ? ' ' : space)).trim()
  return endsSentence.test(text) ? line : line.replace(/(?<![.…])[.。]$/u, '')
}

/** Wraps a text into lines of at most `width` characters. */
export const wrapLines = (text: string, width: number): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
