import { expect } from 'chai'
import fc from 'fast-check'
import { testCall } from '@sallyport/testing'
import { WordsDetector } from '../../src/words/detector.js'

const detector = new WordsDetector()
const options = {
  words: ['c--', 'abi', 'ab', 'ab ba', 'aab', 'b.a', 'baab a', '計画', 'アパ', 'team'],
  lists: {
    patterns: [
      { pattern: 'a+b{2}a' },
      { pattern: String.raw`\bb-?(?:aa|ab)\d{1,3}` },
      { pattern: '^a .*a$' },
      { pattern: 'b|ab?c*d' },
    ],
  },
}

/** Characters of which words are made, disguised or not, and what parts them. */
const alphabets = {
  'words and patterns': Array.from('aaabbbcd1 .-\n_аТЕМ\u200b\u0301計画アパ😀ａ'),
  'letters that stand apart': Array.from('teamTЕ ...--_'),
}

describe('open spans of words and patterns', () => {
  for (const [what, alphabet] of Object.entries(alphabets))
    it(`${what}: cover every finding that a text may have across a position, however it goes on`, async () => {
      const texts = fc.array(fc.constantFrom(...alphabet), { maxLength: 24 }).map((parts) => parts.join(''))
      await fc.assert(
        fc.asyncProperty(texts, fc.nat(24), async (text, cut) => {
          const known = text.slice(0, cut)
          const { spans } = await detector.openSpans({ text: known, options }, testCall())
          const { findings } = await detector.inspect({ text, options }, testCall())
          for (let position = 1; position < known.length; position += 1) {
            if (spans.some(({ start, end }) => start < position && position < end)) continue
            const across = findings.filter(({ start, end }) => start < position && position < end)
            expect(across, JSON.stringify({ text, cut, position, spans })).to.deep.equal([])
          }
        }),
        { numRuns: 3000 },
      )
    })

  it('are only at the end where nothing is found', async () => {
    const { spans } = await detector.openSpans({ text: 'Nothing of note here. Nor there, a', options }, testCall())
    expect(spans.every(({ start }) => start >= 33)).to.equal(true)
  })
})
