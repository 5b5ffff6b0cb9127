import { definePlugin } from '@sallyport/core'
import type { ModelSpec } from '@sallyport/core'
import { language } from './language/check.js'
import { LanguageDetector } from './language/detector.js'
import { links } from './links/check.js'
import { LinksDetector } from './links/detector.js'
import { promptLeak } from './prompt-leak/check.js'
import { PromptLeakDetector } from './prompt-leak/detector.js'
import { secrets } from './secrets/check.js'
import { SecretsDetector } from './secrets/detector.js'
import { embeddingOf, optionsSchema, TopicsBackend } from './topics/backend.js'
import type { TopicsModelOptions } from './topics/backend.js'
import { topics } from './topics/check.js'
import { words } from './words/check.js'
import { WordsDetector } from './words/detector.js'

export { language, links, promptLeak, secrets, topics, words }

/** Checks in addition to those of the specification. */
export default definePlugin({
  name: '@sallyport/content-checks',
  models: {
    links: { capability: links, class: LinksDetector, description: 'Images and links to hosts that are not listed.' },
    secrets: { capability: secrets, class: SecretsDetector, description: 'Credentials and private keys.' },
    language: { capability: language, class: LanguageDetector, description: 'Parts of texts in other languages.' },
    'prompt-leak': {
      capability: promptLeak,
      class: PromptLeakDetector,
      description: 'Answers that repeat their instructions, or canaries.',
    },
    words: { capability: words, class: WordsDetector, description: 'Words and patterns of the operator’s lists.' },
  },
  backends: {
    topics: {
      description: 'Detects subjects by example sentences, compared by an embedding model.',
      options: optionsSchema,
      capabilities: [topics],
      class: TopicsBackend,
      files: 'none',
      check: (model, kernel) => void embeddingOf(model as ModelSpec<TopicsModelOptions>, kernel),
    },
  },
})
