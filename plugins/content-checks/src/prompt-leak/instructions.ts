/** Instructions in all forms in which an answer may repeat them, made ready to be searched for. */

import { mapInTurns, runPaced } from '@sallyport/kit/async'
import type { Pacer, Steps } from '@sallyport/kit/async'
import { append, RecentlyUsed } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import { digitsAsLetters, foldedText } from '../words/folded.js'
import { reversed, rot13, shortLetters, wordsOf } from './letters.js'
import type { Word } from './letters.js'

/** Letters by which a repetition is found. Each repetition of twice as many has one that begins at a multiple. */
export const seedLength = 12
/** Places of the same seed that are tried. */
const maxPlaces = 16
/** Stands between forms, and for what answers may repeat: no text has it among its letters. */
const barrier: Word = { letters: '\n', weight: 0 }

export interface Instructions {
  /** The letters of all forms. */
  readonly text: string
  readonly seeds: ReadonlyMap<string, readonly number[]>
  /** How many words lie completely between two places of the text. */
  readonly wordsBetween: (start: number, end: number) => number
}

const known = new RecentlyUsed<Instructions>(2 ** 20, (_, key) => key.length)

/** @param allowed what of them answers may repeat */
export const instructionsOf = async (
  reference: string,
  allowed: readonly string[],
  pacer: Pacer,
): Promise<Instructions> => {
  // Each tenant has its own: how fast an answer comes would tell whether others have the same instructions.
  const key = JSON.stringify([pacer.call.tenant, reference, allowed])
  const made = known.get(key) ?? (await makeOf(reference, allowed, pacer))
  known.set(key, made)
  return made
}

const makeOf = async (reference: string, allowed: readonly string[], pacer: Pacer): Promise<Instructions> => {
  const { text: folded } = await foldedText(reference, pacer)
  const words = await runPaced(withBarriers(await runPaced(wordsOf(folded), pacer), allowed), pacer)
  const backwards = words.toReversed()
  const forms: readonly (readonly [words: readonly Word[], write: (letters: string) => string])[] = [
    [words, (letters) => letters],
    [words, rot13],
    [backwards, reversed],
    [backwards, (letters) => rot13(reversed(letters))],
    [backwards, (letters) => letters],
  ]
  const [all, texts]: [Word[], string[]] = [[], []]
  for (const [form, write] of forms) {
    const written = await mapInTurns(form, pacer, ({ letters }) => write(letters))
    // A cipher leaves digits as they are, so these come last.
    texts.push(digitsAsLetters(written.join('')), barrier.letters)
    await pacer.pause()
    // However a word is written, it is as long.
    append(all, form)
    all.push(barrier)
  }
  const text = texts.join('')
  const wordsBetween = await runPaced(wordCounter(all, text.length), pacer)
  return { text, seeds: await runPaced(seedsOf(text), pacer), wordsBetween }
}

/** Places between two pauses. */
const slice = 4096

/** Whole words that are part of what answers may repeat become a barrier. */
function* withBarriers(words: readonly Word[], allowed: readonly string[]): Steps<readonly Word[]> {
  if (allowed.length === 0) return words
  const text = words.map(({ letters }) => letters).join('')
  /** Where the longest of them ends that begins at a place. */
  const ends = new Uint32Array(text.length)
  for (const each of allowed) {
    for (const { start, end } of occurrences(text, shortLetters(each))) ends[start] = Math.max(ends[start] ?? 0, end)
    yield
  }
  let [at, reach] = [0, 0]
  return words.map((word) => {
    // What begins within a word before this one, or with this one.
    const [start, end] = [at, at + word.letters.length]
    reach = Math.max(reach, ends[start] ?? 0)
    const isAllowed = end <= reach
    for (at += 1; at < end; at += 1) reach = Math.max(reach, ends[at] ?? 0)
    return isAllowed ? barrier : word
  })
}

/** Where a text has another one. */
export function* occurrences(text: string, part: string): Generator<Span> {
  if (part === '') return
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    yield { start: at, end: at + part.length }
}

function* seedsOf(text: string): Steps<ReadonlyMap<string, readonly number[]>> {
  const seeds = new Map<string, number[]>()
  for (let at = 0; at + seedLength <= text.length; at += seedLength) {
    if (at % slice === 0) yield
    const seed = text.slice(at, at + seedLength)
    const places = seeds.get(seed)
    if (!places) seeds.set(seed, [at])
    else if (places.length < maxPlaces) places.push(at)
  }
  return seeds
}

/** Words that begin before a place, and those that have ended there, both by their weights. */
function* wordCounter(words: readonly Word[], length: number): Steps<Instructions['wordsBetween']> {
  const [begun, ended] = [new Float64Array(length + 1), new Float64Array(length + 1)]
  let [at, sum] = [0, 0]
  for (const [index, { letters, weight }] of words.entries()) {
    if (index % slice === 0) yield
    const end = at + letters.length
    begun.fill(sum + weight, at + 1, end + 1)
    ended.fill(sum, at + 1, end)
    sum += weight
    ended[end] = sum
    at = end
  }
  return (start, end) => Math.max(0, (ended[end] ?? 0) - (begun[start] ?? 0))
}
