import type { Pacer } from '../../async/pacer.js'
import { countIn } from '../slices.js'

const printable = '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}\\n\\r\\t'
/** A run that may be text among other bytes: shorter ones are printable by chance. Long runs are cut. */
const printableRun = new RegExp(`[${printable}]{16,16384}`, 'gu')
const shortPrintable = new RegExp(`^[${printable}]{8,15}$`, 'u')
const wordCharacters = /[\p{L}\p{M}\p{Zs}\n]/gu
/** The share of letters and spaces in words; bytes that are printable by chance have fewer. */
const minWordShare = 0.6
/** Letters of languages that are written without spaces. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/gu
/** Letters that a text must have, and letters for each byte that is not text. */
const minLetters = 6
const minLettersPerUnknown = 4

/** Letters of ASCII in UTF-16 of either order, as UTF-8 reads them. */
const alternatingZeros = /(?:[^\0]\0){4,}|(?:\0[^\0]){4,}/g

/** The text of bytes in UTF-8, in which parts in UTF-16 are read, too: all else stays, so that they hide nothing. */
export const decodedBytes = (bytes: Buffer): string =>
  bytes
    .toString()
    .replace(/^\ufffd{2}(?=[^\0]?\0)/, '')
    .replace(alternatingZeros, (letters) => letters.replaceAll('\0', ''))

/** The printable runs of bytes, a line for each. */
export const printableIn = async (bytes: Buffer, pacer: Pacer): Promise<string> => {
  const text = decodedBytes(bytes)
  if (shortPrintable.test(text)) return text
  let [found, end] = ['', 0]
  for (const { 0: match, index } of text.matchAll(printableRun)) {
    found += found === '' || index === end ? match : `\n${match}`
    end = index + match.length
    await pacer.pause()
  }
  return found
}

/** The lines that consist of words. */
export const wordsIn = async (text: string, pacer: Pacer): Promise<string> => {
  const found: string[] = []
  for (const line of text.split('\n')) {
    const others = await countIn(line, pacer, (slice) => slice.replace(wordCharacters, '').length)
    if (others <= (1 - minWordShare) * line.length) found.push(line)
  }
  return found.join('\n')
}

/** Whether a text is more than bytes that are printable by chance. */
export const isMeaningful = async (text: string, pacer: Pacer): Promise<boolean> => {
  if (!/[ \n]/.test(text) && (text.match(unspaced)?.length ?? 0) < minLetters) return false
  const letters = await countIn(text, pacer, (slice) => slice.match(/\p{L}/gu)?.length ?? 0)
  const unknown = await countIn(text, pacer, (slice) => slice.match(/\ufffd/g)?.length ?? 0)
  return letters >= Math.max(minLetters, minLettersPerUnknown * unknown)
}
