import { comparisonCheck } from '@sallyport/core'

/** The check's own options. */
export interface PromptLeakOptions {
  /** Texts that no answer may have: planted in the instructions, or anywhere else. */
  readonly canaries: readonly string[]
  /** Words in a row from which on a repetition counts. */
  readonly words: number
  /** What of the instructions answers may repeat. */
  readonly public: readonly string[]
}

export const defaults: PromptLeakOptions = { canaries: [], words: 12, public: [] }

/** Answers that repeat their instructions. Score: 1 is a long run of them, or a canary. */
export const promptLeak = comparisonCheck('prompt-leak', {
  stages: { output: 'Looks for the instructions of the system message, and for canaries, in what comes out.' },
  order: 350,
  message: 'the answer repeats its instructions',
  comparedWith: 'instructions',
  // canaries need no instructions
  alwaysAsked: true,
  options: {
    canaries: {
      type: 'array',
      maxItems: 1000,
      default: defaults.canaries,
      items: { type: 'string', minLength: 8, maxLength: 1000 },
      description: 'Texts that no answer may have, such as a random word that is planted in the system message.',
    },
    words: {
      type: 'integer',
      minimum: 6,
      maximum: 200,
      default: defaults.words,
      description: 'Words in a row from which on a repetition of the system message counts.',
    },
    public: {
      type: 'array',
      maxItems: 1000,
      default: defaults.public,
      items: { type: 'string', minLength: 1 },
      description: 'What of the system message answers may repeat: a greeting, a notice.',
    },
  },
})
