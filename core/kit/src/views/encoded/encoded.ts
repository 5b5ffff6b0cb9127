import type { Pacer } from '../../async/pacer.js'
import { linesOf } from '../edited.js'
import type { Edit } from '../edited.js'
import { bytesOf } from '../slices.js'
import type { Span, View } from '../view.js'
import { mayBeBase64, piecesFrom } from './base64.js'
import { bytesOfBits, bytesOfCodes, codeLists } from './code-lists.js'
import { isSaid, printableIn, wordsIn } from './readable.js'

/** Encodings inside encodings that are undone. */
const deepest = 3
/** What is encoded in fewer characters says nothing. */
const shortest = 20

/** Letters of a piece at least. */
const fewestLetters = 4
const begin = new RegExp(`[A-Za-z0-9+/_-]{${fewestLetters}}`, 'g')
/** What fills up groups of letters. */
const padding = /={1,6}/y
/** A longer run is read in parts, of which each begins with a byte in every encoding. */
const longestRun = 3 * 2 ** 18
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Characters of an encoding, by their place in a text. */
interface Run {
  readonly characters: string
  readonly index: number
  readonly length: number
}

/** What is written in base64, base32, hexadecimal or codes in a text, a line for each run; undefined where there is nothing. */
export const encodedView = async (view: View, pacer: Pacer): Promise<View | undefined> => {
  const lines: Edit[] = []
  for await (const line of decoded(view.text, pacer, 1)) lines.push(line)
  return linesOf(view, lines)
}

/** Text that bytes hold, and what is encoded in it; empty where there is none. */
export const textOfBytes = async (bytes: Buffer, pacer: Pacer, depth = 1): Promise<string> => {
  const text = await printableIn(bytes, pacer)
  const lines = [await wordsIn(text, pacer)]
  if (depth < deepest && text.length >= shortest)
    for await (const { reads } of decoded(text, pacer, depth + 1)) lines.push(reads)
  const said: string[] = []
  for (const line of lines) if (await isSaid(line, pacer)) said.push(line)
  return said.join('\n')
}

async function* decoded(text: string, pacer: Pacer, depth: number): AsyncGenerator<Edit, void> {
  for await (const { characters, index, length } of runs(text, pacer)) {
    const reads = await firstText(candidates(characters, pacer), pacer, depth)
    if (reads) yield { reads, start: index, end: index + length }
    await pacer.pause()
  }
  for await (const { codes, index, length } of codeLists(text, pacer)) {
    const reads = await firstText(bytesOfCodes(codes, pacer), pacer, depth)
    if (reads) yield { reads, start: index, end: index + length }
    await pacer.pause()
  }
}

const firstText = async (readings: AsyncIterable<Buffer>, pacer: Pacer, depth: number): Promise<string> => {
  for await (const bytes of readings) {
    const text = await textOfBytes(bytes, pacer, depth)
    if (text) return text
  }
  return ''
}

/** Runs of an alphabet, in pieces or not, with what fills them up. */
async function* runs(text: string, pacer: Pacer): AsyncGenerator<Run, void> {
  let from = 0
  for (let count = 1; ; count += 1) {
    if (count % 256 === 0) await pacer.pause()
    begin.lastIndex = from
    if (!begin.test(text)) return
    const pieces: Span[] = []
    for (const piece of piecesFrom(text, begin.lastIndex - fewestLetters)) {
      // Behind one that is not cut, a shorter one is a word, unless something fills it up.
      const isWord = pieces.length === 1 && pieces.some((one) => lengthOf(piece) < lengthOf(one))
      if (!isWord || text[piece.end] === '=') pieces.push(piece)
      if (pieces.length % 256 === 0) await pacer.pause()
    }
    const index = pieces[0]?.start ?? from
    from = pieces.at(-1)?.end ?? text.length
    const characters = pieces.map(({ start, end }) => text.slice(start, end)).join('')
    if (characters.length < shortest) continue
    padding.lastIndex = from
    if (padding.test(text)) from = padding.lastIndex
    // `yield*` would wait for each of the runs that are none.
    for (const one of inParts({ characters, index, length: from - index })) yield one
  }
}

const lengthOf = ({ start, end }: Span): number => end - start

/** A long run, in runs that can be read for themselves. */
const inParts = ({ characters, index, length }: Run): Run[] =>
  Array.from({ length: Math.ceil(characters.length / longestRun) }, (_, at) => {
    const from = at * longestRun
    const isLast = from + longestRun >= characters.length
    return {
      characters: characters.slice(from, from + longestRun),
      index: index + from,
      length: isLast ? length - from : longestRun,
    }
  })

/** What characters may stand for. */
async function* candidates(run: string, pacer: Pacer): AsyncGenerator<Buffer, void> {
  for (const { isOne, decoded } of alphabets) {
    if (isOne(run)) yield bytesOf(run, pacer, decoded)
    await pacer.pause()
  }
}

const fromBase32 = (run: string): Buffer => {
  const bytes: number[] = []
  let [bits, count] = [0, 0]
  for (const character of run.toUpperCase()) {
    const value = base32Alphabet.indexOf(character)
    if (value < 0) break
    bits = ((bits << 5) | value) & 0xfff
    count += 5
    if (count < 8) continue
    count -= 8
    bytes.push((bits >> count) & 0xff)
  }
  return Buffer.from(bytes)
}

const as =
  (form: RegExp) =>
  (run: string): boolean =>
    form.test(run)

const alphabets: readonly { readonly isOne: (run: string) => boolean; readonly decoded: (run: string) => Buffer }[] = [
  { isOne: as(/^[01]+$/), decoded: bytesOfBits },
  { isOne: as(/^\d+$/), decoded: (run) => Buffer.from(run.match(/\d{3}/g)?.map(Number) ?? []) },
  { isOne: as(/^[\da-f]+$/i), decoded: (run) => Buffer.from(run, 'hex') },
  { isOne: as(/^(?:[A-Z2-7]+|[a-z2-7]+)$/), decoded: fromBase32 },
  { isOne: mayBeBase64, decoded: (run) => Buffer.from(run, 'base64') },
]
