/** Finds credentials by their prefixes: one search for all prefixes, then the forms of each. */

import { readFileSync } from 'node:fs'
import { maxOf } from '@sallyport/kit/lists'
import { matchesInTurns } from '@sallyport/kit/views'
import { endAt, unfinishedCandidate } from './candidate.js'
import type { Candidate } from './candidate.js'
import { entropyOf, isPlaceholder, consistsOfWords } from './randomness.js'

/** The default maximum length of the part after a prefix, in UTF-16 code units. */
const bodyLength = 512

interface TokenForm {
  readonly type: string
  /** The prefixes of its tokens. */
  readonly starts: readonly string[]
  /** The source of the character class of the part after the prefix. */
  readonly characters: string
  /** How many characters follow; without `max`, at most {@link bodyLength}. */
  readonly min?: number
  readonly max?: number
  /** The source of a pattern for the part after the prefix, in place of `characters` and their number. */
  readonly body?: string
  /** The maximum length of the part after the prefix, in UTF-16 code units. */
  readonly maxLength?: number
  /** The source of the pattern; absent where it follows the documentation of the issuer. */
  readonly from?: 'secretlint'
}

/**
 * Those from `secretlint` follow the patterns of `@secretlint/secretlint-rule-preset-recommend` 12.0.0 (MIT, Copyright
 * (c) 2020 azu), with lengths that are bounded.
 */
const tokenForms = JSON.parse(readFileSync(new URL('./tokens.json', import.meta.url), 'utf8')) as readonly TokenForm[]

const bodyOf = ({ characters, min = 0, max, body }: TokenForm): string =>
  body ?? (max === undefined ? `${characters}{${min},${bodyLength}}` : `${characters}{${min},${max}}(?!${characters})`)

const score = 0.95
const minBits = 2.5
/** How many UTF-16 code units of a value are examined. */
const sampleLength = 160
/** A share of words that random letters do not reach. */
const maxShare = 0.8

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

interface CompiledForm {
  readonly type: string
  readonly maxLength: number
  /** The length of its prefix in UTF-16 code units. */
  readonly prefixLength: number
  /** Both patterns are sticky and begin with the prefix: the whole token, and the beginning of one. */
  readonly whole: RegExp
  readonly run: RegExp
}

const compileForm = (prefix: string, form: TokenForm): CompiledForm => {
  const { type, characters, maxLength = bodyLength } = form
  return {
    type,
    prefixLength: prefix.length,
    maxLength: prefix.length + maxLength,
    whole: new RegExp(escaped(prefix) + bodyOf(form), 'y'),
    run: new RegExp(`${escaped(prefix)}${characters}{0,${maxLength}}`, 'y'),
  }
}

const prefixes = [...new Set(tokenForms.flatMap((form) => form.starts))].sort((a, b) => b.length - a.length)

const compiledForms = tokenForms.flatMap((form) =>
  form.starts.map((start) => [start, compileForm(start, form)] as const),
)

/** The forms for each prefix, with those of shorter prefixes of it: `sk-` for `sk-ant-`. */
const formsByPrefix = new Map(
  prefixes.map((prefix) => [prefix, compiledForms.flatMap(([start, form]) => (prefix.startsWith(start) ? form : []))]),
)

/** No letter or digit precedes a token; `_` and `-` may, as they separate names. */
const boundary = '(?<![A-Za-z0-9])'
const anchor = new RegExp(`${boundary}(?:${prefixes.map(escaped).join('|')})`, 'g')
export const maxPrefixLength = maxOf(prefixes.map(({ length }) => length))

/** Yields undefined where the caller may pause. @param minPrefixLength forms with shorter prefixes are skipped */
export function* tokensIn(text: string, minPrefixLength = 1): Generator<Candidate | undefined> {
  for (const found of matchesInTurns(text, anchor, { before: 1, maxLength: 2 * maxPrefixLength })) {
    if (!found) yield undefined
    else
      for (const form of formsByPrefix.get(found.match) ?? [])
        if (form.prefixLength >= minPrefixLength) yield candidateAt(text, found.index, form)
  }
  const tail = partialPrefixLength(text)
  if (tail > 0) yield unfinishedCandidate(text, tail)
}

/** Base64 of images and programs contains every prefix of letters and digits somewhere. */
const inBase64 = /[A-Za-z0-9+/]{12}[+/]$/
const isInBase64 = (text: string, start: number, length: number): boolean =>
  inBase64.test(text.slice(Math.max(0, start - 13), start)) && /^[A-Za-z0-9]+$/.test(text.slice(start, start + length))

const candidateAt = (text: string, start: number, form: CompiledForm): Candidate | undefined => {
  const { type, prefixLength, whole, run, maxLength } = form
  const mayGrow = start + maxLength >= text.length
  const reach = (mayGrow ? endAt(run, text, start) : undefined) ?? start
  const end = endAt(whole, text, start)
  if (end === undefined) return reach === text.length ? { type, start, end: reach, score: undefined, reach } : undefined
  const isSecret =
    !isInBase64(text, start, prefixLength) &&
    isToken(text.slice(start + prefixLength, Math.min(end, start + sampleLength)))
  return { type, start, end, score: isSecret ? score : undefined, reach: Math.max(reach, end) }
}

/** The token of RFC 7519 and those of jwt.io, by their payloads: `{"sub":"1234567890"`, `{"iss":"joe"`. */
const examplePayload = /\.eyJ(?:zdWIiOiIxMjM0NTY3ODkw|pc3MiOiJqb2Ui)/

const isToken = (value: string): boolean =>
  !isPlaceholder(value) &&
  !consistsOfWords(value, maxShare) &&
  entropyOf(value) >= minBits &&
  !examplePayload.test(value)

const partialPrefixes = new Set(prefixes.flatMap((prefix) => Array.from(prefix, (_, end) => prefix.slice(0, end))))
partialPrefixes.delete('')

/** The length of the end of a text that may become a prefix; 0 where none may. */
const partialPrefixLength = (text: string): number => {
  for (let length = Math.min(maxPrefixLength, text.length); length > 0; length -= 1) {
    const isWord = /[A-Za-z0-9]/.test(text[text.length - length - 1] ?? '')
    if (!isWord && partialPrefixes.has(text.slice(-length))) return length
  }
  return 0
}
