import { runConformance } from '@sallyport/testing'
import { words } from '@sallyport/content-checks'
import { WordsDetector } from '../../src/words/detector.js'

const options = { lists: { codename: ['Project Apex', { pattern: String.raw`\bAPX-\d{4}\b` }] } }

runConformance(words, {
  create: () => Promise.resolve(new WordsDetector()),
  facts: {
    samples: {
      flagged: { text: 'We will ship project apex in May.', options },
      harmless: { text: 'We will ship the project in May.', options },
    },
  },
})
