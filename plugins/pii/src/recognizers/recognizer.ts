import type { Span } from '@sallyport/kit/views'

/** Finds one type of personal information. */
export interface Recognizer {
  /** The entity type of its findings, such as `EMAIL_ADDRESS`. */
  readonly entity: string
  readonly patterns: readonly Pattern[]
  /**
   * The kind of its findings: of addresses, the part. Neighbouring parts are joined unless they are of the same kind.
   */
  readonly kind?: string
  /**
   * Whether a match is valid; undefined where that cannot be decided. Invalid matches are found only after context
   * words.
   */
  readonly validate?: (match: string) => boolean | undefined
  /** The part of a match that becomes the finding; undefined where there is none. */
  readonly within?: (match: string) => Span | undefined
  /** Set where, if `within` finds nothing in a match, it finds nothing in its prefixes: then a stream need not wait. */
  readonly prefixesAreEmptyToo?: true
  /** Context words, or beginnings of them, in lower case; they count within 64 UTF-16 code units before a match. */
  readonly context?: readonly string[]
  /** Words that, right before a match, name something else, so that no context word counts. */
  readonly otherContext?: readonly string[]
  /** Whether invalid matches are found after context words; true by default. */
  readonly invalidInContext?: boolean
  /** Whether base64, and text across tags of HTML, are searched, too. */
  readonly encoded?: true
  /** Texts with one match each, marked by `[` and `]`, or else at the end of the text. */
  readonly examples: readonly string[]
  /** Texts in which nothing is found. */
  readonly counterExamples: readonly string[]
}

export interface Pattern {
  /**
   * Has a maximum length: repetitions have an upper bound, and nothing refers to the ends of the text. Groups named
   * `lead` and `trail`, at the ends, are not part of the finding; a group named `head`, in a lookbehind, is its
   * beginning.
   */
  readonly regex: RegExp
  /** Matches the end of a growing text that may become the `head` of a match: at most 512 UTF-16 code units. */
  readonly tail?: RegExp
  /** The score of a valid or unvalidated match without context words, from 0 to 1. */
  readonly score: number
  /** Set where matches are not validated. */
  readonly unchecked?: true
  /**
   * For patterns with `within`: whether a match may follow a text, of which the last 64 UTF-16 code units are given.
   */
  readonly mayFollow?: (before: string) => boolean
  /**
   * The part of a match that becomes the finding; undefined where there is none, even after context words. It replaces
   * `validate` and the recogniser's `within`. Overlapping matches are found, too.
   */
  readonly within?: (match: string) => Span | undefined
}
