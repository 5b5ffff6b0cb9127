/** Indexes instructions in all forms in which an answer may repeat them. */

import { mapInTurns, runPaced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { append, LruCache } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import { digitsAsLetters, foldText } from '../words/folded.js'
import { reverse, rot13, shortLetters, wordsOf } from './letters.js'
import type { Word } from './letters.js'

/** The number of letters of a seed. Seeds begin at its multiples: a repetition of twice as many letters contains one. */
export const seedLength = 12
/** How many positions of the same seed are kept. */
const maxPositions = 16
/** Separates forms, and replaces words that answers may repeat: it never occurs among the letters of a text. */
const barrier: Word = { letters: '\n', weight: 0 }

export interface Instructions {
  /** The letters of all forms. */
  readonly text: string
  /** The positions of each seed. */
  readonly seeds: ReadonlyMap<string, readonly number[]>
  /** The number of whole words between two positions of the text. */
  readonly wordsBetween: (start: number, end: number) => number
}

const cache = new LruCache<Instructions>(2 ** 20, (_, key) => key.length)

/** @param allowed parts that answers may repeat */
export const instructionsOf = async (
  reference: string,
  allowed: readonly string[],
  pacer: Pacer,
): Promise<Instructions> => {
  // Each tenant has its own: how fast an answer comes would show whether others have the same instructions.
  const key = JSON.stringify([pacer.call.tenant, reference, allowed])
  const instructions = cache.get(key) ?? (await compile(reference, allowed, pacer))
  cache.set(key, instructions)
  return instructions
}

const compile = async (reference: string, allowed: readonly string[], pacer: Pacer): Promise<Instructions> => {
  const { text: folded } = await foldText(reference, pacer)
  const words = await runPaced(replaceAllowed(await runPaced(wordsOf(folded), pacer), allowed), pacer)
  const backwards = words.toReversed()
  const forms: readonly (readonly [words: readonly Word[], write: (letters: string) => string])[] = [
    [words, (letters) => letters],
    [words, rot13],
    [backwards, reverse],
    [backwards, (letters) => rot13(reverse(letters))],
    [backwards, (letters) => letters],
  ]
  const [all, texts]: [Word[], string[]] = [[], []]
  for (const [form, write] of forms) {
    const written = await mapInTurns(form, pacer, ({ letters }) => write(letters))
    // A cipher leaves digits as they are, so these come last.
    texts.push(digitsAsLetters(written.join('')), barrier.letters)
    await pacer.pause()
    // A word has the same length in each form.
    append(all, form)
    all.push(barrier)
  }
  const text = texts.join('')
  const wordsBetween = await runPaced(wordCounter(all, text.length), pacer)
  return { text, seeds: await runPaced(seedsOf(text), pacer), wordsBetween }
}

/** How many letters are processed between two pauses. */
const pauseInterval = 4096

/** Replaces words that answers may repeat by barriers. */
function* replaceAllowed(words: readonly Word[], allowed: readonly string[]): Steps<readonly Word[]> {
  if (allowed.length === 0) return words
  const text = words.map(({ letters }) => letters).join('')
  /** For each position, the end of the longest allowed part that begins there. */
  const ends = new Uint32Array(text.length)
  for (const each of allowed) {
    for (const { start, end } of occurrences(text, shortLetters(each))) ends[start] = Math.max(ends[start] ?? 0, end)
    yield
  }
  let [at, reach] = [0, 0]
  return words.map((word) => {
    // An allowed part may begin with this word or within an earlier one.
    const [start, end] = [at, at + word.letters.length]
    reach = Math.max(reach, ends[start] ?? 0)
    const isAllowed = end <= reach
    for (at += 1; at < end; at += 1) reach = Math.max(reach, ends[at] ?? 0)
    return isAllowed ? barrier : word
  })
}

/** The first occurrences of a part in a text, without overlaps. */
export function* occurrences(text: string, part: string, max = Infinity): Generator<Span> {
  let at = part === '' ? -1 : text.indexOf(part)
  for (let count = 0; at >= 0 && count < max; count += 1) {
    yield { start: at, end: at + part.length }
    at = text.indexOf(part, at + part.length)
  }
}

function* seedsOf(text: string): Steps<ReadonlyMap<string, readonly number[]>> {
  const seeds = new Map<string, number[]>()
  for (let at = 0; at + seedLength <= text.length; at += seedLength) {
    if (at % pauseInterval === 0) yield
    const seed = text.slice(at, at + seedLength)
    const positions = seeds.get(seed)
    if (!positions) seeds.set(seed, [at])
    else if (positions.length < maxPositions) positions.push(at)
  }
  return seeds
}

/** Sums the weights of words that begin before a position, and of those that end before it. */
function* wordCounter(words: readonly Word[], length: number): Steps<Instructions['wordsBetween']> {
  const [begun, ended] = [new Float64Array(length + 1), new Float64Array(length + 1)]
  let [at, sum] = [0, 0]
  for (const [index, { letters, weight }] of words.entries()) {
    if (index % pauseInterval === 0) yield
    const end = at + letters.length
    begun.fill(sum + weight, at + 1, end + 1)
    ended.fill(sum, at + 1, end)
    sum += weight
    ended[end] = sum
    at = end
  }
  return (start, end) => Math.max(0, (ended[end] ?? 0) - (begun[start] ?? 0))
}
