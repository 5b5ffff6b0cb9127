import { definePlugin } from '@sallyport/core'
import { words } from './words/check.js'
import { WordsDetector } from './words/detector.js'

export { words } from './words/check.js'

/** Checks beside those of the specification. */
export default definePlugin({
  name: '@sallyport/content-checks',
  models: {
    words: { capability: words, class: WordsDetector, description: 'Words, phrases and patterns of the operator’s.' },
  },
})
