/** A text in the form in which words are compared: plain, and without case. */

import { runSteps, runPaced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { asItStands, leetLetters, plainReading, plainText, rewritten } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'

/** UTF-16 units between two pauses. */
const slice = 16_384

/** @param last as of `plainReading`: how a word at the end is read that may go on */
export const foldedText = async (text: string, pacer: Pacer, last?: 'folded' | 'kept'): Promise<View> => {
  const composed = await runPaced(composedView(text), pacer)
  const plain = await plainReading(composed.text, pacer, last)
  const sourceOf: View['sourceOf'] = (span) => composed.sourceOf(plain.sourceOf(span))
  return runPaced(caseFolded({ text: plain.text, sourceOf }), pacer)
}

/** Folds a text that is too short for others to wait for. */
export const foldedWord = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : runSteps(caseFolded(asItStands(plainText(runSteps(composedView(text)).text)))).text

/** Marks that Latin, Greek, Cyrillic and Japanese letters have in characters of their own. */
const marked = /[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]{1,64}/gu
const single = /^.$/su

/**
 * Accents that are written as characters of their own belong to their letters, where there is such a letter: other marks
 * are taken for a disguise.
 */
function* composedView(text: string): Steps<View> {
  const edits: Edit[] = []
  for (const { 0: cluster, index } of text.matchAll(marked)) {
    const reads = cluster.normalize('NFC')
    if (reads === cluster || !single.test(reads)) continue
    edits.push({ start: index, end: index + cluster.length, reads })
    if (edits.length % slice === 0) yield
  }
  return rewritten(asItStands(text), edits) ?? asItStands(text)
}

const ascii = /^[\t-\r\x20-\x7e]*$/

function* caseFolded({ text, sourceOf }: View): Steps<View> {
  if (ascii.test(text)) return { text: text.toLowerCase(), sourceOf }
  const [units, longer]: [string[], Edit[]] = [[], []]
  for (let at = 0; at < text.length; at += 1) {
    const folded = foldedUnit(text, at)
    units.push(folded.charAt(0))
    if (folded.length > 1) longer.push({ start: at, end: at + 1, reads: folded })
    if (at % slice === slice - 1) yield
  }
  const view = { text: units.join(''), sourceOf }
  return rewritten(view, longer) ?? view
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

/** Upper case comes first: `ß` becomes `ss`, and sigma and the Turkish i have several small letters. */
const foldedCharacter = (character: string): string =>
  character.toUpperCase().toLowerCase().replace('i\u0307', 'i').normalize('NFC')

/** Digits that stand for letters, as those letters. */
export const digitsAsLetters = (text: string): string =>
  text.replace(/[013457]/g, (digit) => leetLetters[digit] ?? digit)

const mixed = /\p{L}[013457]|[013457]\p{L}/u
const wordWithDigits = /[\p{L}\p{M}\p{N}]{1,64}/gu

/** The text with letters for the digits that stand for them, as long as it was; undefined where none seem to. */
export const withoutDigits = (text: string): string | undefined =>
  mixed.test(text)
    ? text.replace(wordWithDigits, (word) => (mixed.test(word) ? digitsAsLetters(word) : word))
    : undefined
