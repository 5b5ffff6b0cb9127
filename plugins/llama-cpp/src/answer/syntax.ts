/** How a model writes what is more than text: calls of functions, and thoughts. */

/** Stands for an id of the model's choice, which is not used: answers have ids of their own. */
export const writtenId = Symbol('id')

/** Text that is always the same, but for ids in it. */
export type Fixed = readonly (string | typeof writtenId)[]

/** Calls follow one another: begin, name, middle, arguments, then between, name, middle, arguments, …, and end. */
export interface CallSyntax {
  readonly begin: Fixed
  readonly middle: Fixed
  /** The text between calls is absent where an answer has one call at most. */
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

/** Characters of an id (as a class of a regular expression and as code points), and how many there may be. */
export const idCharacters = {
  class: 'a-zA-Z0-9_-',
  codePoints: [
    [0x2d, 0x2d],
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ] as const,
  max: 64,
}

/** Source of a regular expression that finds it in a text. */
export const patternOf = (fixed: Fixed): string =>
  fixed.map((part) => (part === writtenId ? `[${idCharacters.class}]{1,${idCharacters.max}}` : escaped(part))).join('')

/** Escapes a text for a regular expression that finds it as it is. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
