/** The checks of the specification: data, which detectors of several plugins refer to. */

import { builtInReplaceMethods, comparisonCheck, scoreCheck, spanCheck } from '@sallyport/core'

/** Text that tries to override the operator's or the user's instructions. Score: 1 is an attack. */
export const injection = scoreCheck('injection', {
  stages: {
    input: 'Looks for attempts to turn the model against its instructions.',
    output: 'Looks for instructions in what comes out, such as a document or transcript, to a model that reads it.',
  },
  order: 100,
  message: 'prompt injection detected',
  methods: builtInReplaceMethods,
})

/** Personal information: types are Presidio's names. */
export const pii = spanCheck('pii', {
  stages: {
    input: 'Looks for personal information in what goes in.',
    output: 'Looks for personal information in what comes out.',
  },
  order: 200,
  message: 'pii detected',
  // A detector of personal information decides itself what to report, so each of its findings counts.
  threshold: 0,
  methods: ['random', 'fake', 'category', 'mask'],
})

/** Hateful, violent, sexual or self-harming text. Score: 1 is toxic. */
export const toxicity = scoreCheck('toxicity', {
  stages: { output: 'Looks for toxic text in what comes out.' },
  order: 300,
  message: 'failed toxicity check',
  methods: builtInReplaceMethods,
})

/** What contradicts what the request states, or is not supported by it. Score: 1 is the bad end. */
export const factuality = comparisonCheck('factuality', {
  stages: { output: 'Checks what comes out against what the request states.' },
  order: 400,
  message: 'failed factuality check',
  comparedWith: 'statements',
})
