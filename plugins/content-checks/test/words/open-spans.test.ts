import { expect } from 'chai'
import { conformanceCases, testCall } from '@sallyport/testing'
import { words } from '@sallyport/content-checks'
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

const samples = { flagged: { text: 't.e.a.m ab', options }, harmless: { text: 'x', options } }

/** What words are made of, disguised or not, and what parts them. */
const alphabets = {
  'words and patterns': [
    ...Array.from('aabbcd1 .-\n_аТЕМ\u200b\u0301計画アパ😀ａ'),
    ...'aab|ab |a ba|b-aa1|baab|計画'.split('|'),
  ],
  markup: [...Array.from('aabb *`'), ...'aab|ab |a ba|**|<b>|</b>|<i x=">|">|<td>'.split('|')],
  highlights: [...Array.from('aabb ='), ...'aab|ab |a ba|==|==a|b==|=a=='.split('|')],
  'letters that stand apart': [...Array.from('tem .-_'), ...'t.e.|a.m|t-e|-a-m|T Е a m|t e a|te|am|..'.split('|')],
  'letters that stand apart, with markup': '**t** **e** |<b>t</b> e |*a* m|a **m**|t |*|<b>'.split('|'),
}

describe('open spans of words and patterns', () => {
  for (const [what, fragments] of Object.entries(alphabets))
    for (const one of conformanceCases(words).filter(({ name }) => /^openSpans|^inspect: after/.test(name)))
      it(`${what}: ${one.name}`, () => one.run(detector, { fragments, samples }))

  it('hold a word in which a highlight begins, until it may end', async () => {
    const begun = 'It is ab==i'
    for (const rest of ['', ' of them.\nNext', `, ${'x '.repeat(300)}`]) {
      const text = begun + rest
      const { spans } = await detector.openSpans({ text, options }, testCall())
      expect(
        spans.some(({ start, end }) => start <= 6 && end === text.length),
        rest,
      ).to.equal(true)
    }
    const text = `${begun}${' x'.repeat(600)}`
    const { spans } = await detector.openSpans({ text, options }, testCall())
    expect(spans.every(({ start, end }) => start > begun.length || end <= begun.length)).to.equal(true)
  })

  it('are only at the end where nothing is found', async () => {
    const { spans } = await detector.openSpans({ text: 'Nothing of note here. Nor there, a', options }, testCall())
    expect(spans.every(({ start }) => start >= 33)).to.equal(true)
  })
})
