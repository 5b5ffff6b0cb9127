import type { Pacer } from '@sallyport/kit/async'
import { bytesOfBits, bytesOfCodes, codeLists } from './code-lists.js'
import type { Match } from './matches.js'
import { isSaid, printableIn, wordsIn } from './readable.js'
import { Rewritten } from './rewritten.js'
import { bytesOf } from './slices.js'
import type { View } from './view.js'

/** Encodings inside encodings that are undone. */
const deepest = 3
/** What is encoded in fewer characters says nothing. */
const shortest = 20

/** How often a class repeats is said: a row of millions would exhaust the stack that the engine goes back by. */
const piece = /[A-Za-z0-9+/_-]{1,65536}={0,6}/g
const shortestToken = 4
/** A longer run is read in parts, of which each begins with a byte in every encoding. */
const longestRun = 3 * 2 ** 18
const blank = /^\s{1,2}$/
const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Characters of an encoding, by their place in a text. */
interface Run {
  readonly characters: string
  readonly index: number
  readonly length: number
}

/** What is written in base64, base32, hexadecimal or codes in a text, a line for each run; undefined where there is nothing. */
export const encodedView = async (view: View, pacer: Pacer): Promise<View | undefined> => {
  const text = new Rewritten()
  let found = false
  for await (const { plain, index, length } of decoded(view.text, pacer, 1)) {
    text.replace(`${plain}\n`, index, index + length)
    found = true
  }
  return found ? text.view(view) : undefined
}

/** Text that bytes hold, and what is encoded in it; empty where there is none. */
export const textOfBytes = async (bytes: Buffer, pacer: Pacer, depth = 1): Promise<string> => {
  const text = await printableIn(bytes, pacer)
  const lines = [await wordsIn(text, pacer)]
  if (depth < deepest && text.length >= shortest)
    for await (const { plain } of decoded(text, pacer, depth + 1)) lines.push(plain)
  const said: string[] = []
  for (const line of lines) if (await isSaid(line, pacer)) said.push(line)
  return said.join('\n')
}

async function* decoded(text: string, pacer: Pacer, depth: number) {
  for await (const { characters, index, length } of runs(text, pacer)) {
    const plain = await firstText(candidates(characters, pacer), pacer, depth)
    if (plain) yield { plain, index, length }
    await pacer.pause()
  }
  for await (const { codes, index, length } of codeLists(text, pacer)) {
    const plain = await firstText(bytesOfCodes(codes, pacer), pacer, depth)
    if (plain) yield { plain, index, length }
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

/** Runs of an alphabet; those of one length that only blanks separate are one, with what is left for the last of them. */
async function* runs(text: string, pacer: Pacer): AsyncGenerator<Run, void> {
  let parts: string[] = []
  let [index, end, tokens] = [0, 0, 0]
  const run = (): Run[] => {
    const characters = parts.join('')
    return characters.length >= shortest ? inParts({ characters, index, length: end - index }) : []
  }
  for (const { match, index: at } of tokensOf(text)) {
    const [first = ''] = parts
    const last = parts.at(-1) ?? ''
    const isNext = match.length === first.length
    const isLast = match.length < first.length && parts.length > 1
    const isOne = (isNext || isLast) && last.length === first.length && !last.endsWith('=')
    if (!isOne || !blank.test(text.slice(end, Math.min(at, end + 3)))) {
      // `yield*` would wait for each of the runs that are none.
      for (const one of run()) yield one
      parts = []
      index = at
    }
    parts.push(match)
    end = at + match.length
    if ((tokens += 1) % 256 === 0) await pacer.pause()
  }
  yield* run()
}

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

/** Rows of characters of the alphabets, with what fills them up. */
function* tokensOf(text: string): Generator<Match, void> {
  let [from, to] = [0, 0]
  for (const { 0: match, index } of text.matchAll(piece)) {
    if (index > to || text[to - 1] === '=') {
      if (to - from >= shortestToken) yield { match: text.slice(from, to), index: from }
      from = index
    }
    to = index + match.length
  }
  if (to - from >= shortestToken) yield { match: text.slice(from, to), index: from }
}

/** What characters may stand for. */
async function* candidates(run: string, pacer: Pacer): AsyncGenerator<Buffer, void> {
  for (const { form, decoded } of alphabets) {
    if (form.test(run)) yield bytesOf(run, pacer, decoded)
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

const alphabets: readonly { readonly form: RegExp; readonly decoded: (run: string) => Buffer }[] = [
  { form: /^[01]+$/, decoded: bytesOfBits },
  { form: /^\d+$/, decoded: (run) => Buffer.from(run.match(/\d{3}/g)?.map(Number) ?? []) },
  { form: /^[\da-f]+$/i, decoded: (run) => Buffer.from(run, 'hex') },
  { form: /^(?:[A-Z2-7]+|[a-z2-7]+)=*$/, decoded: fromBase32 },
  { form: /^/, decoded: (run) => Buffer.from(run, 'base64') },
]
