import { scoreCheck } from '@sallyport/core'
import type { OptionsOf } from '@sallyport/core'
import { knownLanguages } from './languages.js'

const options = {
  allow: {
    type: 'array',
    minItems: 1,
    uniqueItems: true,
    items: {
      type: 'string',
      pattern: `^(?:${knownLanguages.join('|')})(?:-[A-Za-z0-9]{1,8})*$`,
      title: `the tag of a language that can be detected: ${knownLanguages.join(', ')}`,
    },
    description: 'Languages that texts may be in: [en, de].',
  },
} as const

/** The check's own options. Of each BCP 47 tag, the language counts, neither region nor script. */
export type LanguageOptions = OptionsOf<{ type: 'object'; properties: typeof options; required: ['allow'] }>

/** Languages that texts may be in. A score of 1 means that a part is in another one. */
export const language = scoreCheck('language', {
  stages: {
    input: 'Looks for parts of what goes in that are in none of the allowed languages.',
    output: 'Looks for parts of what comes out that are in none of the allowed languages.',
  },
  order: 90,
  message: 'language not allowed',
  options,
  required: [['allow']],
})
