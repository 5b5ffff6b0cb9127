import type { Pacer } from '@sallyport/kit/async'
import { originalReading, leetLetters, rewritten } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'

/** The lengths of the subwords of a word, in characters; empty for an unknown word. */
type SubwordLengths = (word: string) => readonly number[]

/** Runs of symbols, escapes, tags and encoded data, which mean nothing to a model and cost as much time as prose. */
const symbols = '(?<symbol>[^\\p{L}\\p{N}\\s])\\k<symbol>{15,65535}'
const escapes = '(?<escape>(?:\\\\[uUxX][\\dA-Fa-f]{2,8}[^\\p{L}\\p{N}\\s\\\\]?){8,4096})'
/**
 * HTML tags that cannot hide text: attributes hold numbers or the encoding at most. Models take short lines with tags
 * between them for attacks.
 */
const inline = '(?<inline>(?:</?(?:b|code|del|em|i|s|small|span|strong|sub|sup|u|wbr)>){1,64})'
const blocks = [
  '!DOCTYPE html|meta charset="utf-8"|[bh]r ?/?|/?(?:blockquote|body|dd|div|dl|dt|h[1-6]|head|html|ol|p|pre|title|ul)',
  '/?(?:caption|li|table|tbody|tfoot|thead|tr)|/?t[dh](?: (?:colspan|rowspan)="\\d{1,4}"){0,2}|ol start="\\d{1,4}"',
].join('|')
const block = `(?<block>(?:<(?:${blocks})>\\s{0,8}){1,64})`
const run = new RegExp(`${symbols}|${escapes}|${inline}|${block}|[A-Za-z\\d+/=_-]{24,65536}`, 'gu')
const word = /[A-Za-z\d]+/g
/** A sign that is escaped as in Markdown (CommonMark 0.31, section 2.4); viewers show the sign alone. */
const escapedSign = /\\([!-/:-@[-`{-~])/g
/** How many symbols of a run are kept. */
const keptSymbols = 3
const ellipsis = '…'
/** The maximum length in characters of a gap between natural words that is kept. */
const maxKeptGap = 12

/** A word counts as natural language if this number of subwords in a row has this average length in characters. */
const averagedSubwords = 8
const minAverage = 19 / averagedSubwords
/** The limit for words whose digits are read as letters, which resemble natural words more often by chance. */
const minAverageWithDigits = 21 / averagedSubwords
/** The minimum length of a word that is natural by itself. */
const minNaturalLength = 6
/** The number of shorter words in a row, each a single subword, that hardly ever occurs in encoded data. */
const minShortWords = 3
/** The minimum length of a word that counts as encoded data. */
const minEncodedLength = 12
/** The minimum average length of the subwords of a natural word that is shorter than encoded data. */
const minAverageOfShorter = 3
/** The minimum total length of encoded words in a run that is cut. */
const minTotalEncoded = 20

interface Cut extends Span {
  readonly replacement: string
}

/**
 * A view without escapes of Markdown, and without runs that mean nothing: tags of HTML, and words with very short subwords, as in base64, certificates
 * and hashes. Natural language stays, also inside such runs, without spaces or with digits for letters.
 */
export const terseView = async (text: string, lengths: SubwordLengths, pacer: Pacer): Promise<View> => {
  const shown = withoutEscapes(text)
  const cuts: Cut[] = []
  let encodedEnd = -1
  for (const { 0: match, index, groups } of shown.text.matchAll(run)) {
    const continues = encodedEnd >= 0 && index - encodedEnd <= 3 && shown.text.slice(encodedEnd, index).trim() === ''
    const replacement = replacementOf(groups ?? {})
    const isEncoded = replacement === undefined
    const runCuts = isEncoded
      ? await cutsOfEncoded(match, lengths, pacer, continues ? '' : ellipsis)
      : [{ start: 0, end: match.length, replacement }]
    for (const { start, end, replacement } of runCuts)
      cuts.push({ start: index + start, end: index + end, replacement })
    if (isEncoded) encodedEnd = runCuts.at(-1)?.end === match.length ? index + match.length : -1
    await pacer.pause()
  }
  return rewritten(shown, cuts) ?? shown
}

const withoutEscapes = (text: string): View => {
  const escapes = Array.from(text.matchAll(escapedSign), ({ 0: written, 1: sign = '', index }) => ({
    ...{ start: index, end: index + written.length, replacement: sign },
  }))
  return rewritten(originalReading(text), escapes) ?? originalReading(text)
}

/** The replacement of a run by its kind; undefined for one that may be encoded data. */
const replacementOf = ({ symbol, escape, inline, block }: Readonly<Record<string, string | undefined>>) => {
  if (symbol !== undefined) return symbol.repeat(keptSymbols)
  if (escape !== undefined) return ellipsis
  if (block !== undefined) return ' '
  return inline === undefined ? undefined : ''
}

/** The parts to cut between natural words; none in a run with too few encoded words. */
const cutsOfEncoded = async (
  match: string,
  lengths: SubwordLengths,
  pacer: Pacer,
  firstReplacement: string,
): Promise<Cut[]> => {
  const cuts: Cut[] = []
  let [from, encodedLength] = [0, 0]
  const cut = (end: number): void => {
    if (end - from > maxKeptGap)
      cuts.push({ start: from, end, replacement: cuts.length > 0 ? ' ' : `${firstReplacement} ` })
  }
  for (const { start, end, isNatural } of await runWordsOf(match, lengths, pacer)) {
    if (isNatural) {
      cut(start)
      from = end
    } else if (end - start >= minEncodedLength) encodedLength += end - start
  }
  cut(match.length)
  return encodedLength >= minTotalEncoded ? cuts : []
}

interface RunWord extends Span {
  isNatural: boolean
}

/** The words of a run. Several short words in succession count as natural, too. */
const runWordsOf = async (match: string, lengths: SubwordLengths, pacer: Pacer): Promise<readonly RunWord[]> => {
  const words: RunWord[] = []
  let shortOnes: RunWord[] = []
  for (const { 0: text, index } of match.matchAll(word)) {
    if (words.length % 64 === 63) await pacer.pause()
    const runWord = { start: index, end: index + text.length, isNatural: isNaturalWord(text, lengths) }
    words.push(runWord)
    if (!runWord.isNatural && !isShortWord(text, lengths)) shortOnes = []
    else if (shortOnes.push(runWord) >= minShortWords) for (const one of shortOnes) one.isNatural = true
  }
  return words
}

const isShortWord = (part: string, lengths: SubwordLengths): boolean =>
  part.length < minNaturalLength && /^(?:[A-Za-z]{2,}|[AIa])$/.test(part) && lengths(part).length === 1

const isNaturalWord = (part: string, lengths: SubwordLengths): boolean => {
  if (part.length < minNaturalLength) return false
  const minAverageOfWord = part.length < minEncodedLength ? minAverageOfShorter : 0
  const plain = part.replace(/[013457]/g, (one) => leetLetters[one] ?? one)
  const isLong = (word: string, minimum: number) => hasLongSubwords(lengths(word), Math.max(minAverageOfWord, minimum))
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
