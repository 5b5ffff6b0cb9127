import { definePlugin } from '@sallyport/core'
import { factuality, injection, toxicity } from '@sallyport/checks'
import { FactualityBackend } from './factuality/backend.js'
import { factualitySchema } from './factuality/options.js'
import { InjectionBackend } from './injection/backend.js'
import { injectionSchema } from './injection/options.js'
import { checkJudge, JudgeBackend } from './judge/backend.js'
import { judgeSchema } from './judge/options.js'
import { checkClassifier } from './models.js'
import { ToxicityBackend } from './toxicity/backend.js'
import { toxicitySchema } from './toxicity/options.js'

export type { FactualityOptions } from './factuality/options.js'
export type { InjectionOptions } from './injection/options.js'
export type { JudgeOptions } from './judge/options.js'
export type { ToxicityOptions } from './toxicity/options.js'

/** Detects prompt injection, toxic text, and claims that a reference does not support. */
export default definePlugin({
  name: '@sallyport/guards',
  backends: {
    injection: {
      description: 'Detects text that tries to override the instructions of the operator or the user.',
      options: injectionSchema,
      capabilities: [injection],
      class: InjectionBackend,
      files: 'none',
      check: checkClassifier,
    },
    toxicity: {
      description: 'Detects text of hatred, harassment, violence, sexual content or self-harm.',
      options: toxicitySchema,
      capabilities: [toxicity],
      class: ToxicityBackend,
      files: 'none',
      check: checkClassifier,
    },
    factuality: {
      description: 'Detects claims that a reference does not support.',
      options: factualitySchema,
      capabilities: [factuality],
      class: FactualityBackend,
      files: 'none',
      check: checkClassifier,
    },
    'chat-judge': {
      description: 'Asks a chat model whether texts are attacks, toxic, or not supported by a reference.',
      options: judgeSchema,
      capabilities: [injection, toxicity, factuality],
      class: JudgeBackend,
      files: 'none',
      check: checkJudge,
    },
  },
})
