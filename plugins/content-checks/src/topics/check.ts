import { scoreCheck } from '@sallyport/core'
import type { OptionsOf } from '@sallyport/core'
import { typeNames } from '../detection.js'

const subjects = {
  type: 'object',
  minProperties: 1,
  maxProperties: 100,
  propertyNames: typeNames,
  additionalProperties: {
    type: 'array',
    minItems: 1,
    maxItems: 200,
    items: { type: 'string', minLength: 3, maxLength: 1000 },
  },
} as const

const options = {
  refused: { ...subjects, description: 'Example sentences of each subject that is refused: five or more.' },
  allowed: {
    ...subjects,
    description: 'Example sentences of each subject that is allowed; where there are any, all others are refused.',
  },
} as const

/** Sentences that are examples of each subject. */
export type Subjects = OptionsOf<typeof subjects>

/** The check's own options. */
export type TopicsOptions = OptionsOf<{ type: 'object'; properties: typeof options }>

/** Subjects, described by examples. A score of 1 means that a part is about a refused one, or about no allowed one. */
export const topics = scoreCheck('topics', {
  stages: {
    input: 'Looks for subjects in what goes in that the operator refuses, or has not allowed.',
    output: 'Looks for subjects in what comes out that the operator refuses, or has not allowed.',
  },
  order: 110,
  message: 'subject not allowed',
  options,
  required: [['refused'], ['allowed']],
})
