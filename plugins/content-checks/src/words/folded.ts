/** A text in the form in which words are compared: plain, and without case. */

import { madeOf, paced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { plainReading, plainText } from '@sallyport/kit/views'
import type { Span } from '@sallyport/kit/views'

export interface Folded {
  readonly text: string
  /** The span of the source that a span of the text was written in. */
  readonly sourceOf: (start: number, end: number) => Span
}

/** UTF-16 units between two pauses. */
const slice = 16_384

/** @param last as of `plainReading`: how a word at the end is read that may go on */
export const foldedText = async (text: string, pacer: Pacer, last?: 'folded' | 'kept'): Promise<Folded> => {
  const composed = await paced(composedText(text), pacer)
  const plain = await plainReading(composed.text, pacer, last)
  const folded = await paced(caseFolded(plain.text), pacer)
  return {
    text: folded.text,
    sourceOf: (start, end) => {
      const inPlain = folded.sourceOf(start, end)
      const inComposed = plain.sourceOf(inPlain)
      return composed.sourceOf(inComposed.start, inComposed.end)
    },
  }
}

/** Of a text that is too short for others to wait for. */
export const foldedWord = (text: string): string =>
  ascii.test(text) ? text.toLowerCase() : madeOf(caseFolded(plainText(madeOf(composedText(text)).text))).text

const asItStands = (text: string): Folded => ({ text, sourceOf: (start, end) => ({ start, end }) })

/** Marks that Latin, Greek, Cyrillic and Japanese letters have in characters of their own. */
const marked = /[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]{1,64}/gu
const single = /^.$/su

/**
 * Accents that are written as characters of their own belong to their letters, where there is such a letter: other marks
 * are taken for a disguise.
 */
function* composedText(text: string): Steps<Folded> {
  const [units, cuts]: [string[], { at: number; source: number; length: number }[]] = [[], []]
  let [from, length] = [0, 0]
  for (const { 0: cluster, index } of text.matchAll(marked)) {
    const composed = cluster.normalize('NFC')
    if (composed === cluster || !single.test(composed)) continue
    units.push(text.slice(from, index), composed)
    length += index - from
    cuts.push({ at: length, source: index, length: composed.length })
    length += composed.length
    from = index + cluster.length
    cuts.push({ at: length, source: from, length: 0 })
    if (cuts.length % slice === 0) yield
  }
  if (units.length === 0) return asItStands(text)
  const placeOf = (position: number): number => {
    const cut = cuts[countBefore(cuts, position) - 1]
    if (!cut) return position
    return cut.length ? cut.source : cut.source + position - cut.at
  }
  return {
    text: units.join('') + text.slice(from),
    sourceOf: (start, end) => ({ start: placeOf(start), end: placeOf(end) }),
  }
}

const countBefore = (cuts: readonly { readonly at: number }[], position: number): number => {
  let [low, high] = [0, cuts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cuts[middle]?.at ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return low
}

const ascii = /^[\t-\r\x20-\x7e]*$/

/** Yields where others may have their turn. */
function* caseFolded(text: string): Steps<Folded> {
  if (ascii.test(text)) return asItStands(text.toLowerCase())
  const units: string[] = []
  const places: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const folded = foldedUnit(text, at)
    units.push(folded)
    for (let unit = 0; unit < folded.length; unit += 1) places.push(at)
    if (at % slice === slice - 1) yield
  }
  return {
    text: units.join(''),
    sourceOf: (start, end) => ({ start: places[start] ?? text.length, end: (places[end - 1] ?? text.length - 1) + 1 }),
  }
}

const known = new Map<number, string>()

const foldedUnit = (text: string, at: number): string => {
  const unit = text.charCodeAt(at)
  let folded = known.get(unit)
  if (folded === undefined) {
    folded = foldedCharacter(text.charAt(at))
    known.set(unit, folded)
  }
  return folded
}

/** Of upper case first: `ß` is `ss`, and of sigma, and of the Turkish i, there are several small ones. */
const foldedCharacter = (character: string): string =>
  character.toUpperCase().toLowerCase().replace('i\u0307', 'i').normalize('NFC')

const letters: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }
const mixed = /\p{L}[013457]|[013457]\p{L}/u
const wordWithDigits = /[\p{L}\p{M}\p{N}]{1,64}/gu

/** The text with letters for the digits that stand for them, as long as it was; undefined where none seem to. */
export const withoutDigits = (text: string): string | undefined =>
  mixed.test(text)
    ? text.replace(wordWithDigits, (word) =>
        mixed.test(word) ? word.replace(/[013457]/g, (digit) => letters[digit] ?? digit) : word,
      )
    : undefined
