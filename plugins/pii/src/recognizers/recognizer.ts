import type { Span } from '@sallyport/kit/views'

/** What finds one kind of personal information in a text. */
export interface Recognizer {
  /** What it finds: `EMAIL_ADDRESS`. */
  readonly entity: string
  readonly patterns: readonly Pattern[]
  /** Which part of an address it is: neighbours are one finding unless they are of the same kind. */
  readonly kind?: string
  /**
   * Whether a match is what it looks like; undefined where that cannot be told. What is not, is found only where
   * context gives it.
   */
  readonly validate?: (match: string) => boolean | undefined
  /** The part of a match that is found; undefined where there is none in it. */
  readonly within?: (match: string) => Span | undefined
  /** Whether there is nothing in a beginning of what `within` finds nothing in: behind that, nothing is waited for. */
  readonly shrinksToNothing?: true
  /** Beginnings of words that tell, before a match, what it is; in lower case. */
  readonly context?: readonly string[]
  /** Words that name something else right before it: behind these, no context counts. */
  readonly otherContext?: readonly string[]
  /** Whether what is no valid one is found in context; true unless said otherwise. */
  readonly invalidInContext?: boolean
  /** Whether it is looked for in base64 and over elements of HTML, too. */
  readonly encoded?: true
  /** Texts with one match each, which ends where the text does unless it is marked by `[` and `]`. */
  readonly examples: readonly string[]
  /** Texts in which nothing is found. */
  readonly counterExamples: readonly string[]
}

export interface Pattern {
  /**
   * With a longest match: repetitions have an upper bound, and nothing refers to the ends of the text. What a group
   * named `lead` or `trail` matches, at the ends, is not part of the finding; what one named `head` does, in a
   * lookbehind, is its beginning.
   */
  readonly regex: RegExp
  /** Matches the end of a text that grows, in which the `head` of a match may stand: at most 512 UTF-16 units. */
  readonly tail?: RegExp
  /** In 0..1: of a match that is valid, or cannot be told to be, without context. */
  readonly score: number
  /** Found without being validated. */
  readonly unchecked?: true
  /** With `within`: whether the 64 UTF-16 units before a match give it; only then it is found. */
  readonly given?: (before: string) => boolean
  /**
   * The part of a match that is found; where there is none, nothing is, context or not. It decides in place of
   * `validate` and of the recogniser's `within`, and matches are looked for inside each other, too.
   */
  readonly within?: (match: string) => Span | undefined
}
