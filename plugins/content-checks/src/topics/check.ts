import { scoreCheck } from '@sallyport/core'

/** Sentences that are examples of each subject. */
export type Subjects = Readonly<Record<string, readonly string[]>>

/** The check's own options. */
export interface TopicsOptions {
  readonly refused?: Subjects
  readonly allowed?: Subjects
}

const subjects = {
  type: 'object',
  minProperties: 1,
  maxProperties: 100,
  propertyNames: {
    pattern: String.raw`^[A-Za-z][\w-]{0,45}$`,
    title: 'a name of at most 46 letters, digits, - and _, which begins with a letter',
  },
  additionalProperties: {
    type: 'array',
    minItems: 1,
    maxItems: 200,
    items: { type: 'string', minLength: 3, maxLength: 1000 },
  },
}

/** Subjects, each described by sentences. Score: 1 is a part about one that is refused, or about none that is allowed. */
export const topics = scoreCheck('topics', {
  stages: {
    input: 'Looks for subjects in what goes in that the operator refuses, or has not allowed.',
    output: 'Looks for subjects in what comes out that the operator refuses, or has not allowed.',
  },
  order: 110,
  message: 'subject not allowed',
  options: {
    refused: { ...subjects, description: 'Example sentences of each subject that is refused: five or more.' },
    allowed: {
      ...subjects,
      description: 'Example sentences of each subject that is allowed; where there are any, all others are refused.',
    },
  },
  required: [['refused'], ['allowed']],
})
