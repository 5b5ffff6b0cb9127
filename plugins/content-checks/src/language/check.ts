import { scoreCheck } from '@sallyport/core'
import { knownLanguages } from './languages.js'

/** The check's own options. */
export interface LanguageOptions {
  /** BCP 47 tags; of each, the language counts, neither region nor script. */
  readonly allow: readonly string[]
}

/** Languages that questions and answers may be in. Score: 1 is a part in another one. */
export const language = scoreCheck('language', {
  stages: {
    input: 'Looks for parts of what goes in that are in none of the allowed languages.',
    output: 'Looks for parts of what comes out that are in none of the allowed languages.',
  },
  order: 90,
  message: 'language not allowed',
  options: {
    allow: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: {
        type: 'string',
        pattern: `^(?:${knownLanguages.join('|')})(?:-[A-Za-z0-9]{1,8})*$`,
        title: `the tag of a language that can be told: ${knownLanguages.join(', ')}`,
      },
      description: 'Languages that texts may be in: [en, de].',
    },
  },
  required: [['allow']],
})
