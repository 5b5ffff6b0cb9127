/** How a model writes calls of functions, and its reasoning. */

import { codePointsOf } from '../grammar/index.js'

/** The placeholder of an id that the model chooses. It is ignored, because answers get ids of their own. */
export const idPlaceholder = Symbol('id')

/** Text that is always the same, except for ids in it. */
export type FixedText = readonly (string | typeof idPlaceholder)[]

/** Calls follow one another: begin, name, middle, arguments, then between, name, middle, arguments, …, and end. */
export interface CallSyntax {
  readonly begin: FixedText
  readonly middle: FixedText
  /** The text between calls is absent where an answer has one call at most. */
  readonly between?: FixedText
  readonly end: FixedText
}

/** The marks of reasoning, which precedes the answer. */
export interface ReasoningSyntax {
  readonly begin: string
  readonly end: string
  /** Whether the prompt ends with the opening mark, so that the answer starts within the reasoning. */
  readonly opened: boolean
}

/** The first word of a call, which ordinary text does not contain; undefined where calls are bare JSON. */
export const callMark = ({ begin: [first] }: CallSyntax): string | undefined =>
  typeof first === 'string' ? /^(?:<[^<>\s]+>|\[\w+\]|[^\s{["]+)/.exec(first)?.[0] : undefined

/** The fixed text between the mark of a call and its name. */
export const afterMark = ({ begin: [first, ...rest] }: CallSyntax, mark: string): FixedText =>
  typeof first === 'string' ? [first.slice(mark.length), ...rest] : [mark, ...rest]

/** The characters of an id, as a class of a regular expression and as code points, and their maximum number. */
export const idCharacters = {
  class: '\\w-',
  codePoints: codePointsOf('-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'),
  max: 64,
}

/** The pattern of a regular expression for the text. */
export const patternOf = (fixed: FixedText): string =>
  fixed
    .map((part) => (part === idPlaceholder ? `[${idCharacters.class}]{1,${idCharacters.max}}` : escapeRegExp(part)))
    .join('')

/** Escapes a text for a regular expression that matches it literally. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&')
