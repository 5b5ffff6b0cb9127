import { failure, loggable } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { layoutOf } from './layout.js'
import type { LayoutOptions, LayoutPart } from './layout.js'
import { damagedItems, hasWords } from './protected.js'

export interface TextOptions extends LayoutOptions {
  /** The language of the translation; a BCP-47 tag. */
  readonly target: string
}

/** Translates texts without line breaks, each for itself; as many come back, in their order. */
export type TranslateUnits = (units: readonly string[], call: Call) => Promise<readonly string[]>

/**
 * Translates what is language in a text; lines, lists, mark-up and what stands in `protected.ts` stay. A translation
 * that has lost something of these is made anew from the parts around it.
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
  const translations = await faithful(units, translate, { call, pacer, target: options.target })
  return parts
    .map((part) => {
      if ('kept' in part) return part.kept
      const translation = translations.get(part.words) ?? ''
      return part.width === undefined ? translation : wrapped(translation, part.width)
    })
    .join('')
}

interface Turn {
  readonly target: string
  readonly call: Call
  readonly pacer: Pacer
}

/** By unit. It ends: the parts of a unit have fewer items than it. */
const faithful = async (
  units: readonly string[],
  translate: TranslateUnits,
  turn: Turn,
): Promise<ReadonlyMap<string, string>> => {
  if (units.length === 0) return new Map()
  const translations = await translate(units, turn.call)
  turn.call.signal.throwIfAborted()
  if (translations.length !== units.length)
    throw failure(
      'internal',
      {},
      { cause: loggable(new Error(`${translations.length} translations of ${units.length} units`)) },
    )
  const found = new Map<string, string>()
  const broken = new Map<string, readonly string[]>()
  for (const [index, unit] of units.entries()) {
    await turn.pacer.pause()
    const translation = tidy(unit, translations[index] ?? '')
    found.set(unit, translation)
    const parts = partsAround(unit, translation)
    if (parts.length > 0) broken.set(unit, parts)
  }
  const words = [...broken.values()].flat().filter(hasWords)
  const repaired = await faithful([...new Set(words.map((part) => part.trim()))], translate, turn)
  for (const [unit, parts] of broken)
    found.set(unit, parts.map((part) => inItsPlace(part, repaired, turn.target)).join(''))
  return found
}

/** The text cut at what its translation has damaged; nothing where it is whole. */
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

const inItsPlace = (part: string, translations: ReadonlyMap<string, string>, target: string): string => {
  const words = part.trim()
  const start = part.indexOf(words)
  const translation = likeItsPlace(words, translations.get(words) ?? words, target)
  return part.slice(0, start) + translation + part.slice(start + words.length)
}

/** Engines begin sentences where a part goes on with one; in German it may be a noun that has a capital. */
const likeItsPlace = (words: string, translation: string, target: string): string =>
  /^\p{Ll}/u.test(words) && /^\p{Lu}\p{Ll}/u.test(translation) && !/^de\b/.test(target)
    ? translation.charAt(0).toLowerCase() + translation.slice(1)
    : translation

const endsSentence = /[.!?…。！？:;]["'”’»)\]]*$/u

/** On one line; without a full stop that the text did not have. */
const tidy = (text: string, translation: string): string => {
  const line = translation.replace(/\s+/gu, (space) => (/[\r\n\u2028\u2029\v\f]/.test(space) ? ' ' : space)).trim()
  return endsSentence.test(text) ? line : line.replace(/(?<![.…])[.。]$/u, '')
}

/** Breaks a text between words into lines of at most so many characters. */
export const wrapped = (text: string, width: number): string => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
