import type { Pacer } from '@sallyport/kit/async'
import { asItStands, leetLetters, rewritten } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'

/** Characters of the pieces of a word; none where it is unknown. */
type PieceLengths = (word: string) => readonly number[]

/** Rows that tell a model nothing, and take it as long as prose: of signs, escapes, tags, and what may be encoded. */
const signs = '(?<sign>[^\\p{L}\\p{N}\\s])\\k<sign>{15,65535}'
const escapes = '(?<escape>(?:\\\\[uUxX][\\dA-Fa-f]{2,8}[^\\p{L}\\p{N}\\s\\\\]?){8,4096})'
/** Elements of HTML by themselves: between short lines, models take them for attacks. Others may say something. */
const inline = '(?<inline>(?:</?(?:b|code|del|em|i|s|small|span|strong|sub|sup|u|wbr)>){1,64})'
const blocks = [
  '!DOCTYPE html|meta charset="utf-8"|[bh]r ?/?|/?(?:blockquote|body|dd|div|dl|dt|h[1-6]|head|html|ol|p|pre|title|ul)',
  '/?(?:caption|li|table|tbody|tfoot|thead|tr)|/?t[dh](?: (?:colspan|rowspan)="\\d{1,4}"){0,2}|ol start="\\d{1,4}"',
].join('|')
const block = `(?<block>(?:<(?:${blocks})>\\s{0,8}){1,64})`
const row = new RegExp(`${signs}|${escapes}|${inline}|${block}|[A-Za-z\\d+/=_-]{24,65536}`, 'gu')
const word = /[A-Za-z\d]+/g
/** Signs that are left of a row; a model takes the begin of anything else for something odd. */
const keptSigns = 3
const leftOut = '…'
/** Characters between words of a language that stay. */
const shortGap = 12

/** Pieces in a row that are language where they have so many characters on average; those of a code have half of that. */
const somePieces = 8
const languageIn = 19 / somePieces
/** Digits that are read as letters make words out of anything. */
const languageInDigits = 21 / somePieces
/** Characters of a word, and of its pieces, that is language by itself where it is no long one. */
const shortWord = 6
const shortPieces = 3
/** Shorter words in a row, of one piece each, that bytes hardly ever make. */
const shortWords = 3
/** Characters of a word that is no identifier, and of all such in a row. */
const longWord = 12
const enough = 20

/** A part of a row, and what is left of it. */
interface Cut extends Span {
  readonly reads: string
}

/**
 * The text without rows that say nothing: tags of HTML, and words that are hardly longer than their pieces, as in
 * base64, certificates and hashes. What is language stays, glued or with digits for letters, also inside of a row.
 */
export const terseView = async (text: string, lengths: PieceLengths, pacer: Pacer): Promise<View> => {
  const left: Cut[] = []
  let endOfCode = -1
  for (const { 0: match, index, groups } of text.matchAll(row)) {
    const goesOn = endOfCode >= 0 && index - endOfCode <= 3 && text.slice(endOfCode, index).trim() === ''
    const reads = leftOfSigns(groups ?? {})
    const isCode = reads === undefined
    const cuts = isCode
      ? await cutsOfCode(match, lengths, pacer, goesOn ? '' : leftOut)
      : [{ start: 0, end: match.length, reads }]
    for (const { start, end, reads } of cuts) left.push({ start: index + start, end: index + end, reads })
    if (isCode) endOfCode = cuts.at(-1)?.end === match.length ? index + match.length : -1
    await pacer.pause()
  }
  return rewritten(asItStands(text), left) ?? asItStands(text)
}

/** Undefined of what may be encoded. */
const leftOfSigns = ({ sign, escape, inline, block }: Readonly<Record<string, string | undefined>>) => {
  if (sign !== undefined) return sign.repeat(keptSigns)
  if (escape !== undefined) return leftOut
  if (block !== undefined) return ' '
  return inline === undefined ? undefined : ''
}

/** The parts between words of a language, in a row that has long words of none. */
const cutsOfCode = async (match: string, lengths: PieceLengths, pacer: Pacer, left: string): Promise<Cut[]> => {
  const cuts: Cut[] = []
  let [from, opaque] = [0, 0]
  const cut = (end: number): void => {
    if (end - from > shortGap) cuts.push({ start: from, end, reads: cuts.length > 0 ? ' ' : `${left} ` })
  }
  for (const { start, end, language } of await partsOf(match, lengths, pacer)) {
    if (language) {
      cut(start)
      from = end
    } else if (end - start >= longWord) opaque += end - start
  }
  cut(match.length)
  return opaque >= enough ? cuts : []
}

/** A word of a row. */
interface Part extends Span {
  language: boolean
}

/** The words of a row; several short ones one after the other are language, too. */
const partsOf = async (match: string, lengths: PieceLengths, pacer: Pacer): Promise<readonly Part[]> => {
  const parts: Part[] = []
  let shortOnes: Part[] = []
  for (const { 0: text, index } of match.matchAll(word)) {
    if (parts.length % 64 === 63) await pacer.pause()
    const part = { start: index, end: index + text.length, language: isLanguage(text, lengths) }
    parts.push(part)
    if (!part.language && !isShortWord(text, lengths)) shortOnes = []
    else if (shortOnes.push(part) >= shortWords) for (const one of shortOnes) one.language = true
  }
  return parts
}

const isShortWord = (part: string, lengths: PieceLengths): boolean =>
  part.length < shortWord && /^(?:[A-Za-z]{2,}|[AIa])$/.test(part) && lengths(part).length === 1

const isLanguage = (part: string, lengths: PieceLengths): boolean => {
  if (part.length < shortWord) return false
  const least = part.length < longWord ? shortPieces : 0
  const plain = part.replace(/[013457]/g, (one) => leetLetters[one] ?? one)
  const isLong = (word: string, language: number) => hasLongPieces(lengths(word), Math.max(least, language))
  return isLong(part, languageIn) || (plain !== part && isLong(plain, languageInDigits))
}

/** Whether some pieces in a row, or all where they are fewer, have so many characters on average. */
const hasLongPieces = (lengths: readonly number[], average: number): boolean => {
  const size = Math.min(somePieces, lengths.length)
  let sum = 0
  for (const [at, length] of lengths.entries()) {
    sum += length - (lengths[at - size] ?? 0)
    if (at + 1 >= size && sum >= average * size) return true
  }
  return false
}
