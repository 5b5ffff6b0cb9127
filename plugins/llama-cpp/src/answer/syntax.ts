import { escaped } from '../text/escaped.js'

/** How a model writes what is more than text: calls of functions, and thoughts. */

/** Where a model writes an id of its choice: answers have ids of their own. */
export const writtenId = Symbol('id')

/** Text that is always the same, but for ids in it. */
export type Fixed = readonly (string | typeof writtenId)[]

/** Calls follow one another: begin, name, middle, arguments, then between, name, middle, arguments, …, and end. */
export interface CallSyntax {
  readonly begin: Fixed
  readonly middle: Fixed
  /** Absent where there is one call in an answer at most. */
  readonly between?: Fixed
  readonly end: Fixed
}

/** Thoughts stand before the answer. */
export interface ThoughtSyntax {
  readonly begin: string
  readonly end: string
  /** The prompt ends with the beginning, so that the answer starts within the thoughts. */
  readonly opened: boolean
}

/**
 * The first word of a call, which answers in words do not contain; undefined where calls are bare JSON, which answers
 * in words do not begin with.
 */
export const callMark = ({ begin: [first] }: CallSyntax): string | undefined =>
  typeof first === 'string' ? /^(?:<[^<>\s]+>|\[\w+\]|[^\s{["]+)/.exec(first)?.[0] : undefined

/** A mark that has no other text before it, and what stands behind it. */
export const behindMark = ({ begin: [first, ...rest] }: CallSyntax, mark: string): Fixed =>
  typeof first === 'string' ? [first.slice(mark.length), ...rest] : [mark, ...rest]

/** Characters of an id, and how many at most. */
export const idCharacters = { class: 'a-zA-Z0-9_-', most: 64 } as const

/** Source of a regular expression that finds it in a text. */
export const patternOf = (fixed: Fixed): string =>
  fixed.map((part) => (part === writtenId ? `[${idCharacters.class}]{1,${idCharacters.most}}` : escaped(part))).join('')
