import type { Pacer } from '../../async/pacer.js'
import { linesOf } from '../edited.js'
import type { Edit } from '../edited.js'
import { bytesOf } from '../slices.js'
import type { Span, View } from '../view.js'
import { mayBeBase64, chunksFrom } from './base64.js'
import { bytesOfBits, codeLists } from './code-lists.js'
import type { EncodedPart } from './code-lists.js'
import { isMeaningful, printableIn, wordsIn } from './readable.js'

/** How many encodings inside one another are undone. */
const maxDepth = 3
/** Shorter runs say nothing. */
const minLength = 20

const minChunkLetters = 4
const begin = new RegExp(`[A-Za-z0-9+/_-]{${minChunkLetters}}`, 'g')
/** The padding of base64 and base32. */
const padding = /={1,6}/y
/** A longer run is decoded in parts. The length ends with a whole byte in every encoding. */
const maxRunLength = 3 * 2 ** 18
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** What a text holds in base64, base32, hexadecimal or codes, a line for each run; undefined where there is nothing. */
export const encodedView = async (view: View, pacer: Pacer): Promise<View | undefined> => {
  const lines: Edit[] = []
  for await (const line of decodedEdits(view.text, pacer, 1)) lines.push(line)
  return linesOf(view, lines)
}

/** The text that bytes hold, and what is encoded in that; empty where there is none. */
export const textOfBytes = async (bytes: Buffer, pacer: Pacer, depth = 1): Promise<string> => {
  const text = await printableIn(bytes, pacer)
  const lines = [await wordsIn(text, pacer)]
  if (depth < maxDepth && text.length >= minLength)
    for await (const { replacement } of decodedEdits(text, pacer, depth + 1)) lines.push(replacement)
  const meaningful: string[] = []
  for (const line of lines) if (await isMeaningful(line, pacer)) meaningful.push(line)
  return meaningful.join('\n')
}

async function* decodedEdits(text: string, pacer: Pacer, depth: number): AsyncGenerator<Edit, void> {
  for (const parts of [runs(text, pacer), codeLists(text, pacer)])
    for await (const { bytes, index, length } of parts) {
      const replacement = await firstText(bytes, pacer, depth)
      if (replacement) yield { replacement, start: index, end: index + length }
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

/** Runs of letters, whole or in chunks, with their padding; a long run in parts. */
async function* runs(text: string, pacer: Pacer): AsyncGenerator<EncodedPart, void> {
  let from = 0
  for (let count = 1; ; count += 1) {
    if (count % 256 === 0) await pacer.pause()
    begin.lastIndex = from
    if (!begin.test(text)) return
    const chunks: Span[] = []
    for (const chunk of chunksFrom(text, begin.lastIndex - minChunkLetters)) {
      // A shorter chunk after a single one is a word, unless padding follows.
      const isWord = chunks.length === 1 && chunks.some((one) => lengthOf(chunk) < lengthOf(one))
      if (!isWord || text[chunk.end] === '=') chunks.push(chunk)
      if (chunks.length % 256 === 0) await pacer.pause()
    }
    const index = chunks[0]?.start ?? from
    from = chunks.at(-1)?.end ?? text.length
    const characters = chunks.map(({ start, end }) => text.slice(start, end)).join('')
    if (characters.length < minLength) continue
    padding.lastIndex = from
    if (padding.test(text)) from = padding.lastIndex
    for (let at = 0; at < characters.length; at += maxRunLength) {
      const isLast = at + maxRunLength >= characters.length
      const length = isLast ? from - index - at : maxRunLength
      yield { bytes: candidates(characters.slice(at, at + maxRunLength), pacer), index: index + at, length }
    }
  }
}

const lengthOf = ({ start, end }: Span): number => end - start

/** The bytes that a run may stand for. */
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
