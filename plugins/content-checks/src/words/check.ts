import { spanCheck } from '@sallyport/core'

/** A word or phrase, or what a regular expression finds. */
export type Entry = string | { readonly pattern: string }

/** The check's own options. */
export interface WordsOptions {
  /** A list for which there need be no name: its findings are of the type `WORD`. */
  readonly words?: readonly Entry[]
  /** Lists by the types of their findings. */
  readonly lists?: Readonly<Record<string, readonly Entry[]>>
}

/**
 * Look-around and references back, which nothing finds in linear time; and line breaks, which no line has: lines are
 * searched one by one.
 */
const unsafe = String.raw`\(\?<?[=!]|(?:^|[^\\])(?:\\\\)*\\(?:[1-9nr]|k<)|[\n\r]`

const entries = {
  type: 'array',
  minItems: 1,
  maxItems: 200_000,
  items: {
    anyOf: [
      {
        type: 'string',
        maxLength: 200,
        pattern: String.raw`[\p{L}\p{N}\p{P}\p{S}]`,
        title: 'a word or a phrase of at most 200 characters',
      },
      {
        type: 'object',
        additionalProperties: false,
        required: ['pattern'],
        properties: {
          pattern: {
            type: 'string',
            minLength: 1,
            maxLength: 2000,
            format: 'regex',
            pattern: `^(?![^]*(?:${unsafe}))`,
            title: 'a regular expression of ECMAScript without look-around, references back and line breaks',
          },
        },
      },
    ],
  },
}

/** Words, phrases and patterns of the operator's own. */
export const words = spanCheck('words', {
  stages: {
    input: 'Looks for words and patterns of the operator’s lists in what goes in.',
    output: 'Looks for words and patterns of the operator’s lists in what comes out.',
  },
  order: 220,
  message: 'a word that is not allowed was found',
  methods: ['category', 'mask', 'remove'],
  options: {
    words: { ...entries, description: 'Words, phrases, and patterns ({pattern: …}); their type is WORD.' },
    lists: {
      type: 'object',
      minProperties: 1,
      propertyNames: {
        pattern: String.raw`^[A-Za-z][\w-]{0,45}$`,
        title: 'a name of at most 46 letters, digits, - and _, which begins with a letter',
      },
      additionalProperties: entries,
      description: 'Lists of words, phrases and patterns, by the types of their findings.',
    },
  },
  required: [['words'], ['lists']],
})
