/** Folds texts for the comparison of words: plain readings without case. */

import { runSteps, runPaced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { originalReading, leetLetters, plainReading, plainText, rewritten, shownView } from '@sallyport/kit/views'
import type { Edit, View } from '@sallyport/kit/views'

/** How many UTF-16 code units are processed between two pauses. */
const pauseInterval = 16_384

/** @param last how the last word, which may go on, is read: see `plainReading` */
export const foldText = async (text: string, pacer: Pacer, last?: 'folded' | 'kept'): Promise<View> => {
  const composed = await runPaced(composedView(text), pacer)
  const plain = await plainReading(composed.text, pacer, last)
  const sourceOf: View['sourceOf'] = (span) => composed.sourceOf(plain.sourceOf(span))
  return runPaced(foldCase({ text: plain.text, sourceOf }), pacer)
}

/** Folds a short text without pauses. */
export const foldWord = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : runSteps(foldCase(originalReading(plainText(runSteps(composedView(text)).text)))).text

/** A letter of Latin, Greek, Cyrillic or Japanese with combining marks. */
const markedLetter = /[^\u0300-\u036f\u3099\u309a][\u0300-\u036f\u3099\u309a]{1,64}/gu
const singleCharacter = /^.$/su

/** Composes letters with combining marks where Unicode has such a letter; the plain reading removes all other marks. */
function* composedView(text: string): Steps<View> {
  const edits: Edit[] = []
  for (const { 0: cluster, index } of text.matchAll(markedLetter)) {
    const replacement = cluster.normalize('NFC')
    if (replacement === cluster || !singleCharacter.test(replacement)) continue
    edits.push({ start: index, end: index + cluster.length, replacement })
    if (edits.length % pauseInterval === 0) yield
  }
  return rewritten(originalReading(text), edits) ?? originalReading(text)
}

const ascii = /^[\t-\r\x20-\x7e]*$/

function* foldCase({ text, sourceOf }: View): Steps<View> {
  if (ascii.test(text)) return { text: text.toLowerCase(), sourceOf }
  const [units, longer]: [string[], Edit[]] = [[], []]
  for (let at = 0; at < text.length; at += 1) {
    const folded = foldUnit(text, at)
    units.push(folded.charAt(0))
    if (folded.length > 1) longer.push({ start: at, end: at + 1, replacement: folded })
    if (at % pauseInterval === pauseInterval - 1) yield
  }
  const view = { text: units.join(''), sourceOf }
  return rewritten(view, longer) ?? view
}

const foldedUnits = new Map<number, string>()

const foldUnit = (text: string, at: number): string => {
  const unit = text.charCodeAt(at)
  let folded = foldedUnits.get(unit)
  if (folded === undefined) {
    folded = foldCharacter(text.charAt(at))
    foldedUnits.set(unit, folded)
  }
  return folded
}

/** Goes through upper case, as `ß` becomes `ss` there, and sigma and the Turkish i have several lower-case letters. */
const foldCharacter = (character: string): string =>
  character.toUpperCase().toLowerCase().replace('i\u0307', 'i').normalize('NFC')

/**
 * The text without emphasis of Markdown and elements of HTML inside words, which readers do not see; undefined where
 * there are none.
 * @param grows whether the text may go on
 */
export const withoutMarkup = async (text: string, pacer: Pacer, grows: boolean): Promise<View | undefined> => {
  const shown = await shownView(originalReading(text), pacer, grows)
  return (await runPaced(withoutEmphasis(shown ?? originalReading(text), grows), pacer)) ?? shown
}

/** UTF-16 code units of the longest highlight that is read as one. */
export const maxHighlight = 1000
/** What a highlight holds: in one paragraph, any signs but those that begin or end one. */
const highlighted = String.raw`\S(?:(?:(?!\n[ \t\r]*\n)[^=]|=(?!=)|(?<=\s)==(?=\s)){0,${maxHighlight}}\S)?`
/** What begins or ends a highlight: at the edge of a word, or in a pair, for programs compare with the same sign. */
const highlight = String.raw`(?<!\S)==(?=\S)|(?<=\S)==(?!\S)|==(?=${highlighted}==)|==(?<===${highlighted}==)`
const emphasis = new RegExp(String.raw`[*~\x60]{1,64}|${highlight}`, 'g')
/** What may begin or end emphasis in a text that goes on, whose last sign may be half of a mark. */
const openEmphasis = /[*~\x60]{1,64}|==|=$/g

function* withoutEmphasis(view: View, grows: boolean): Steps<View | undefined> {
  const edits: Edit[] = []
  for (const { 0: mark, index } of view.text.matchAll(grows ? openEmphasis : emphasis)) {
    edits.push({ start: index, end: index + mark.length, replacement: '' })
    if (edits.length % pauseInterval === 0) yield
  }
  return rewritten(view, edits)
}

/** Replaces digits that look like letters by those letters. */
export const digitsAsLetters = (text: string): string =>
  text.replace(/[013457]/g, (digit) => leetLetters[digit] ?? digit)

const mixed = /\p{L}[013457]|[013457]\p{L}/u
const wordWithDigits = /[\p{L}\p{M}\p{N}]{1,64}/gu

/** The text, as long as before, with letters for digits in words that have both; undefined without such words. */
export const withoutDigits = (text: string): string | undefined =>
  mixed.test(text)
    ? text.replace(wordWithDigits, (word) => (mixed.test(word) ? digitsAsLetters(word) : word))
    : undefined
