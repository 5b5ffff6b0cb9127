import type { Pacer } from '../../async/pacer.js'
import { countIn } from '../slices.js'

const printable = '\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}\\n\\r\\t'
/** What may be text among bytes that are not: printable bytes stand side by side by chance, too. Long ones are cut. */
const piece = new RegExp(`[${printable}]{16,16384}`, 'gu')
const nothingElse = new RegExp(`^[${printable}]{8,15}$`, 'u')
const ofWords = /[\p{L}\p{M}\p{Zs}\n]/gu
/** Share of letters and spaces, by which words are told from bytes that happen to be printable. */
const enough = 0.6
/** Letters of languages that are written without blanks. */
const unspaced = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}]/gu
/** Letters that say something, and those that bytes which are no text may take the place of. */
const fewestLetters = 6
const lettersPerUnknown = 4

/** The printable parts of bytes, a line each. */
export const printableIn = async (bytes: Buffer, pacer: Pacer): Promise<string> => {
  const text = bytes.toString('utf8')
  if (nothingElse.test(text)) return text
  let [found, end] = ['', 0]
  for (const { 0: match, index } of text.matchAll(piece)) {
    found += found === '' || index === end ? match : `\n${match}`
    end = index + match.length
    await pacer.pause()
  }
  return found
}

/** The lines that are words. */
export const wordsIn = async (text: string, pacer: Pacer): Promise<string> => {
  const found: string[] = []
  for (const line of text.split('\n')) {
    const others = await countIn(line, pacer, (slice) => slice.replace(ofWords, '').length)
    if (others <= (1 - enough) * line.length) found.push(line)
  }
  return found.join('\n')
}

/** Whether it is more than what bytes that stand side by side by chance look like. */
export const isSaid = async (text: string, pacer: Pacer): Promise<boolean> => {
  if (!/[ \n]/.test(text) && (text.match(unspaced)?.length ?? 0) < fewestLetters) return false
  const letters = await countIn(text, pacer, (slice) => slice.match(/\p{L}/gu)?.length ?? 0)
  const unknown = await countIn(text, pacer, (slice) => slice.match(/\ufffd/g)?.length ?? 0)
  return letters >= Math.max(fewestLetters, lettersPerUnknown * unknown)
}
