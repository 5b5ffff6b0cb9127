import { spanCheck } from '@sallyport/core'
import type { OptionsOf } from '@sallyport/core'
import { typeNames } from '../detection.js'

/** Lookaround and backreferences, which take more than linear time, and line breaks, as single lines are searched. */
const unsafe = String.raw`\(\?<?[=!]|(?:^|[^\\])(?:\\\\)*\\(?:[1-9nr]|k<)|[\n\r]`

const list = {
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
            title: 'a regular expression of ECMAScript without lookaround, backreferences and line breaks',
          },
        },
      },
    ],
  },
} as const

const options = {
  words: { ...list, description: 'Words, phrases, and patterns ({pattern: …}); their type is WORD.' },
  lists: {
    type: 'object',
    minProperties: 1,
    propertyNames: typeNames,
    additionalProperties: list,
    description: 'Lists of words, phrases and patterns, by the types of their findings.',
  },
} as const

/** The check's own options. */
export type WordsOptions = OptionsOf<{ type: 'object'; properties: typeof options }>

/** A word or phrase, or a regular expression. */
export type ListItem = NonNullable<WordsOptions['words']>[number]

/** Words, phrases and patterns of the operator's own. */
export const words = spanCheck('words', {
  stages: {
    input: 'Looks for words and patterns of the operator’s lists in what goes in.',
    output: 'Looks for words and patterns of the operator’s lists in what comes out.',
  },
  order: 220,
  message: 'a word that is not allowed was found',
  methods: ['category', 'mask', 'remove'],
  options,
  required: [['words'], ['lists']],
})
