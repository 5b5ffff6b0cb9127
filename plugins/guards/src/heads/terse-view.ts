import type { Pacer } from '@sallyport/kit/async'
import { asItStands, leetLetters, rewritten } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'

/** The lengths of the subwords of a word, in characters; empty for an unknown word. */
type SubwordLengths = (word: string) => readonly number[]

/** Rows of signs, escapes, tags and encoded data, which say nothing to a model and cost as much time as prose. */
const signs = '(?<sign>[^\\p{L}\\p{N}\\s])\\k<sign>{15,65535}'
const escapes = '(?<escape>(?:\\\\[uUxX][\\dA-Fa-f]{2,8}[^\\p{L}\\p{N}\\s\\\\]?){8,4096})'
/** HTML tags without attributes. Between short lines, models take them for attacks. Other tags may have content. */
const inline = '(?<inline>(?:</?(?:b|code|del|em|i|s|small|span|strong|sub|sup|u|wbr)>){1,64})'
const blocks = [
  '!DOCTYPE html|meta charset="utf-8"|[bh]r ?/?|/?(?:blockquote|body|dd|div|dl|dt|h[1-6]|head|html|ol|p|pre|title|ul)',
  '/?(?:caption|li|table|tbody|tfoot|thead|tr)|/?t[dh](?: (?:colspan|rowspan)="\\d{1,4}"){0,2}|ol start="\\d{1,4}"',
].join('|')
const block = `(?<block>(?:<(?:${blocks})>\\s{0,8}){1,64})`
const row = new RegExp(`${signs}|${escapes}|${inline}|${block}|[A-Za-z\\d+/=_-]{24,65536}`, 'gu')
const word = /[A-Za-z\d]+/g
/** How many signs of a row are kept. */
const keptSigns = 3
const ellipsis = '…'
/** Gaps between words of language that are not longer, in characters, are kept. */
const shortGap = 12

/** A word is language if so many subwords in a row have this average length in characters; in encoded data, they have half of it. */
const averagedSubwords = 8
const minAverage = 19 / averagedSubwords
/** The limit for words whose digits are read as letters, which resemble words more often by chance. */
const minAverageWithDigits = 21 / averagedSubwords
/** The minimum length of a word that is language by itself, and the minimum average of its subwords unless it is long. */
const shortWord = 6
const minShortAverage = 3
/** So many shorter words in a row, each a single subword, hardly ever occur in encoded data. */
const minShortWords = 3
/** The minimum length of a word that counts as encoded data, and the minimum of all such words of a row. */
const longWord = 12
const minOpaque = 20

/** A part of a row and its replacement. */
interface Cut extends Span {
  readonly replacement: string
}

/**
 * A view without rows that say nothing: tags of HTML, and words with very short subwords, as in base64, certificates and
 * hashes. Language stays, also inside such rows, without spaces or with digits for letters.
 */
export const terseView = async (text: string, lengths: SubwordLengths, pacer: Pacer): Promise<View> => {
  const left: Cut[] = []
  let endOfCode = -1
  for (const { 0: match, index, groups } of text.matchAll(row)) {
    const goesOn = endOfCode >= 0 && index - endOfCode <= 3 && text.slice(endOfCode, index).trim() === ''
    const replacement = replacementOf(groups ?? {})
    const isCode = replacement === undefined
    const cuts = isCode
      ? await cutsOfCode(match, lengths, pacer, goesOn ? '' : ellipsis)
      : [{ start: 0, end: match.length, replacement }]
    for (const { start, end, replacement } of cuts) left.push({ start: index + start, end: index + end, replacement })
    if (isCode) endOfCode = cuts.at(-1)?.end === match.length ? index + match.length : -1
    await pacer.pause()
  }
  return rewritten(asItStands(text), left) ?? asItStands(text)
}

/** The replacement of a row by its kind; undefined for one that may be encoded data. */
const replacementOf = ({ sign, escape, inline, block }: Readonly<Record<string, string | undefined>>) => {
  if (sign !== undefined) return sign.repeat(keptSigns)
  if (escape !== undefined) return ellipsis
  if (block !== undefined) return ' '
  return inline === undefined ? undefined : ''
}

/** The parts to cut between words of language; none in a row without enough long words of other kinds. */
const cutsOfCode = async (match: string, lengths: SubwordLengths, pacer: Pacer, left: string): Promise<Cut[]> => {
  const cuts: Cut[] = []
  let [from, opaque] = [0, 0]
  const cut = (end: number): void => {
    if (end - from > shortGap) cuts.push({ start: from, end, replacement: cuts.length > 0 ? ' ' : `${left} ` })
  }
  for (const { start, end, language } of await partsOf(match, lengths, pacer)) {
    if (language) {
      cut(start)
      from = end
    } else if (end - start >= longWord) opaque += end - start
  }
  cut(match.length)
  return opaque >= minOpaque ? cuts : []
}

/** A word of a row. */
interface Part extends Span {
  language: boolean
}

/** The words of a row. Several short words in succession count as language, too. */
const partsOf = async (match: string, lengths: SubwordLengths, pacer: Pacer): Promise<readonly Part[]> => {
  const parts: Part[] = []
  let shortOnes: Part[] = []
  for (const { 0: text, index } of match.matchAll(word)) {
    if (parts.length % 64 === 63) await pacer.pause()
    const part = { start: index, end: index + text.length, language: isLanguage(text, lengths) }
    parts.push(part)
    if (!part.language && !isShortWord(text, lengths)) shortOnes = []
    else if (shortOnes.push(part) >= minShortWords) for (const one of shortOnes) one.language = true
  }
  return parts
}

const isShortWord = (part: string, lengths: SubwordLengths): boolean =>
  part.length < shortWord && /^(?:[A-Za-z]{2,}|[AIa])$/.test(part) && lengths(part).length === 1

const isLanguage = (part: string, lengths: SubwordLengths): boolean => {
  if (part.length < shortWord) return false
  const minAverageOfWord = part.length < longWord ? minShortAverage : 0
  const plain = part.replace(/[013457]/g, (one) => leetLetters[one] ?? one)
  const isLong = (word: string, language: number) =>
    hasLongSubwords(lengths(word), Math.max(minAverageOfWord, language))
  return isLong(part, minAverage) || (plain !== part && isLong(plain, minAverageWithDigits))
}

/** Whether some subwords in a row, or all where there are fewer, have at least this average length. */
const hasLongSubwords = (lengths: readonly number[], average: number): boolean => {
  const size = Math.min(averagedSubwords, lengths.length)
  let sum = 0
  for (const [at, length] of lengths.entries()) {
    sum += length - (lengths[at - size] ?? 0)
    if (at + 1 >= size && sum >= average * size) return true
  }
  return false
}
