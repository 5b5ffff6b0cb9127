/** Finds credentials that are told by what they begin with: one search for all beginnings, then the forms of each. */

import { readFileSync } from 'node:fs'
import { maxOf } from '@sallyport/kit/lists'
import { matchesInTurns } from '@sallyport/kit/views'
import { endAt, unfinished } from './candidate.js'
import type { Candidate } from './candidate.js'
import { entropyOf, isStandIn, saysWords } from './randomness.js'

/** UTF-16 units of what follows a beginning, where a form says nothing else. */
const usualLength = 512

/** A form of credential. */
interface TokenForm {
  readonly type: string
  /** What one of them begins with, as it stands there. */
  readonly starts: readonly string[]
  /** Source of a class of all characters behind that. */
  readonly characters: string
  /** How many of them there are; without `max`, as many as there may be. */
  readonly min?: number
  readonly max?: number
  /** Source of the pattern of what follows the beginning, where that says more. */
  readonly body?: string
  /** UTF-16 units of the longest one. */
  readonly longest?: number
  /** The library whose pattern it follows. Absent: it follows what the issuer documents. */
  readonly from?: 'secretlint'
}

/**
 * Those from `secretlint` follow the patterns of `@secretlint/secretlint-rule-preset-recommend` 12.0.0 (MIT, Copyright
 * (c) 2020 azu), with lengths that are bounded.
 */
const tokenForms = JSON.parse(readFileSync(new URL('./tokens.json', import.meta.url), 'utf8')) as readonly TokenForm[]

const bodyOf = ({ characters, min = 0, max, body }: TokenForm): string =>
  body ?? (max === undefined ? `${characters}{${min},${usualLength}}` : `${characters}{${min},${max}}(?!${characters})`)

const score = 0.95
const minBits = 2.5
/** UTF-16 units that tell whether a value is one. */
const enough = 160
/** What random letters do not reach. */
const maxWords = 0.8

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

interface CompiledForm {
  readonly type: string
  readonly longest: number
  /** UTF-16 units of its beginning. */
  readonly length: number
  /** Sticky, both from the beginning of the form on. */
  readonly whole: RegExp
  readonly run: RegExp
}

const compiled = (start: string, form: TokenForm): CompiledForm => {
  const { type, characters, longest = usualLength } = form
  return {
    type,
    length: start.length,
    longest: start.length + longest,
    whole: new RegExp(escaped(start) + bodyOf(form), 'y'),
    run: new RegExp(`${escaped(start)}${characters}{0,${longest}}`, 'y'),
  }
}

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
export const maxStart = maxOf(starts.map(({ length }) => length))

/** Yields undefined where others may have their turn. @param shortest beginnings that are shorter are none */
export function* tokensIn(text: string, shortest = 1): Generator<Candidate | undefined> {
  for (const found of matchesInTurns(text, anchor, { before: 1, longest: 2 * maxStart })) {
    if (!found) yield undefined
    else
      for (const form of formsOf.get(found.match) ?? [])
        if (form.length >= shortest) yield candidateAt(text, found.index, form)
  }
  const tail = partOfStart(text)
  if (tail > 0) yield unfinished(text, tail)
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
  !isStandIn(value) && !saysWords(value, maxWords) && entropyOf(value) >= minBits && !isKnownExample(value)

/** The token of RFC 7519 and those of jwt.io, by their payloads: `{"sub":"1234567890"`, `{"iss":"joe"`. */
const examplePayload = /\.eyJ(?:zdWIiOiIxMjM0NTY3ODkw|pc3MiOiJqb2Ui)/
const isKnownExample = (value: string): boolean => examplePayload.test(value)

const partsOfStarts = new Set(starts.flatMap((start) => Array.from(start, (_, at) => start.slice(0, at)).slice(1)))

/** UTF-16 units at the end of a text that may become the beginning of a form; 0 for none. */
const partOfStart = (text: string): number => {
  for (let length = Math.min(maxStart, text.length); length > 0; length -= 1) {
    const isWord = /[A-Za-z0-9]/.test(text[text.length - length - 1] ?? '')
    if (!isWord && partsOfStarts.has(text.slice(-length))) return length
  }
  return 0
}
