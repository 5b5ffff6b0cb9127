/** Finds credentials that are told by what they begin with: one search for all beginnings, then the forms of each. */

import { maxOf } from '@sallyport/kit/lists'
import { anchorsIn, endAt } from './candidate.js'
import type { Candidate } from './candidate.js'
import { entropyOf, isStandIn, saysWords } from './randomness.js'
import { tokenForms } from './tokens.js'
import type { TokenForm } from './tokens.js'

const score = 0.95
const leastBits = 2.5
/** UTF-16 units that tell whether a value is one. */
const enough = 160
/** What random letters do not reach. */
const mostWords = 0.8

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

interface CompiledForm extends Pick<TokenForm, 'type' | 'longest'> {
  /** Of its beginning. */
  readonly length: number
  /** Sticky, both from the beginning of the form on. */
  readonly whole: RegExp
  readonly run: RegExp
}

const compiled = (start: string, { type, body, characters, longest }: TokenForm): CompiledForm => ({
  type,
  length: start.length,
  longest: start.length + longest,
  whole: new RegExp(escaped(start) + body, 'y'),
  run: new RegExp(`${escaped(start)}${characters}{0,${longest}}`, 'y'),
})

const starts = [...new Set(tokenForms.flatMap((form) => form.starts))].sort((a, b) => b.length - a.length)

/** A beginning with the forms that have it, or one that it goes on from: `sk-`, `sk-ant-`. */
const formsOf = new Map(
  starts.map((start) => [
    start,
    tokenForms.flatMap((form) =>
      form.starts.filter((other) => start.startsWith(other)).map((other) => compiled(other, form)),
    ),
  ]),
)

/** Words go on before it; digits and letters alone do, for `_` and `-` stand between names. */
const boundary = '(?<![A-Za-z0-9])'
const anchor = new RegExp(`${boundary}(?:${starts.map(escaped).join('|')})`, 'g')
export const longestStart = maxOf(starts.map(({ length }) => length))

/** Yields undefined where others may have their turn. @param shortest beginnings that are shorter are none */
export function* tokensIn(text: string, shortest = 1): Generator<Candidate | undefined> {
  for (const found of anchorsIn(text, anchor, longestStart)) {
    if (!found) yield undefined
    else
      for (const form of formsOf.get(found[0]) ?? [])
        if (form.length >= shortest) yield candidateAt(text, found.index, form)
  }
  const tail = partOfStart(text)
  if (tail > 0) yield { type: '', start: text.length - tail, end: text.length, score: undefined, reach: text.length }
}

/** Base64 of pictures and programs has every beginning somewhere that is letters and digits alone. */
const inBase64 = /[A-Za-z0-9+/]{12}[+/]$/
const isInBase64 = (text: string, start: number, length: number): boolean =>
  inBase64.test(text.slice(Math.max(0, start - 13), start)) && /^[A-Za-z0-9]+$/.test(text.slice(start, start + length))

const candidateAt = (
  text: string,
  start: number,
  { type, length, whole, run, longest }: CompiledForm,
): Candidate | undefined => {
  const mayGrow = start + longest >= text.length
  const reach = (mayGrow ? endAt(run, text, start) : undefined) ?? start
  const end = endAt(whole, text, start)
  if (end === undefined) return reach === text.length ? { type, start, end: reach, score: undefined, reach } : undefined
  const counts = !isInBase64(text, start, length) && isToken(text.slice(start + length, Math.min(end, start + enough)))
  return { type, start, end, score: counts ? score : undefined, reach: Math.max(reach, end) }
}

const isToken = (value: string): boolean =>
  !isStandIn(value) && !saysWords(value, mostWords) && entropyOf(value) >= leastBits && !isKnownExample(value)

/** The token of RFC 7519 and those of jwt.io, by their payloads: `{"sub":"1234567890"`, `{"iss":"joe"`. */
const examplePayload = /\.eyJ(?:zdWIiOiIxMjM0NTY3ODkw|pc3MiOiJqb2Ui)/
const isKnownExample = (value: string): boolean => examplePayload.test(value)

const partsOfStarts = new Set(starts.flatMap((start) => Array.from(start, (_, at) => start.slice(0, at)).slice(1)))

/** UTF-16 units at the end of a text that may become the beginning of a form; 0 for none. */
const partOfStart = (text: string): number => {
  for (let length = Math.min(longestStart, text.length); length > 0; length -= 1) {
    const isWord = /[A-Za-z0-9]/.test(text[text.length - length - 1] ?? '')
    if (!isWord && partsOfStarts.has(text.slice(-length))) return length
  }
  return 0
}
