import { definePlugin } from '@sallyport/core'
import { language } from './language/check.js'
import { LanguageDetector } from './language/detector.js'
import { promptLeak } from './prompt-leak/check.js'
import { PromptLeakDetector } from './prompt-leak/detector.js'
import { words } from './words/check.js'
import { WordsDetector } from './words/detector.js'

export { language } from './language/check.js'
export { promptLeak } from './prompt-leak/check.js'
export { words } from './words/check.js'

/** Checks beside those of the specification. */
export default definePlugin({
  name: '@sallyport/content-checks',
  models: {
    language: { capability: language, class: LanguageDetector, description: 'Parts of texts in other languages.' },
    'prompt-leak': {
      capability: promptLeak,
      class: PromptLeakDetector,
      description: 'Answers that repeat their instructions, or canaries.',
    },
    words: { capability: words, class: WordsDetector, description: 'Words, phrases and patterns of the operator’s.' },
  },
})
