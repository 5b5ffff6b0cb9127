import { expect } from 'chai'
import { fromWhisper, languages, toWhisper } from '../src/model/languages.js'
import { wordsOf } from '../src/model/words.js'
import { segmentsOf, spokenWords } from '../src/segments.js'

const tokens = (...texts: string[]) => texts.map((text, index) => ({ text, t0: 100 * index, t1: 100 * (index + 1) }))

describe('words of a window', () => {
  for (const [name, text, parts, language, words] of [
    ['tokens with white space begin them', ' One tw-o.', [' One', ' tw', '-', 'o', '.'], 'en', [' One', ' tw-o.']],
    [
      'a character of several tokens is whole',
      ' Grüße 👍!',
      [' Gr', '\ufffd', '\ufffd', 'ße', ' \ufffd', '\ufffd', '!'],
      'de',
      [' Grüße', ' 👍!'],
    ],
    ['unreadable to the end', ' a é', [' a', ' \ufffd', '\ufffd'], 'en', [' a', ' é']],
    ['the first one begins with white space, too', 'Hello you', ['Hello', ' you'], 'en', [' Hello', ' you']],
    ['without spaces each token is one', '今日は、雨', ['今日', 'は', '、', '雨'], 'ja', ['今日', 'は、', '雨']],
    ['what says that nothing was said is none', ' [BLANK_AUDIO]', [' [', 'BL', 'ANK', '_', 'AUDIO', ']'], 'en', []],
    ['nothing', '', [], 'en', []],
  ] as const)
    it(name, () => {
      expect(wordsOf(text, tokens(...parts), language).map((word) => word.text)).to.deep.equal(words)
    })

  it('have the times of their tokens', () => {
    expect(wordsOf(' ab c', tokens(' a', 'b', ' c'), 'en')).to.deep.equal([
      { text: ' ab', start: 0, end: 0.2 },
      { text: ' c', start: 0.2, end: 0.3 },
    ])
  })
})

describe('segments', () => {
  const said = (text: string, gap = 0) => {
    let time = 0
    return text.split(/(?=\s)/).map((word) => {
      const start = (time += word.includes('|') ? gap : 0)
      return { text: word.replace('|', ''), start, end: (time += 0.5) }
    })
  }
  const texts = (text: string, gap?: number) => segmentsOf(said(text, gap), false).map((segment) => segment.text)

  for (const [name, text, expected, gap] of [
    ['are sentences', ' One two. Three? Four', [' One two.', ' Three?', ' Four'], 0],
    ['do not end at abbreviations', ' Mr. Smith saw J. Doe. Yes.', [' Mr. Smith saw J. Doe.', ' Yes.'], 0],
    ['end at a pause', ' one two |three', [' one two', ' three'], 2],
    ['go on over a short pause', ' one two |three', [' one two three'], 0.5],
    ['end with quotation marks', ' “One.” Two', [' “One.”', ' Two'], 0],
  ] as const)
    it(name, () => expect(texts(text, gap)).to.deep.equal(expected))

  it('end at a clause when they are long, and somewhere when they are longer', () => {
    const long = texts(` ${'word '.repeat(30).trim()}, ${'word '.repeat(100).trim()}`)
    expect(long[0]).to.match(/,$/)
    expect(long.length).to.be.greaterThan(2)
  })

  it('joined are the text, and their words joined are theirs', () => {
    const segments = segmentsOf(said(' One two. Three four. Five'), true)
    expect(segments.map(({ text }) => text).join('')).to.equal(' One two. Three four. Five')
    for (const { text, words = [] } of segments) expect(words.map((word) => word.text).join('')).to.equal(text)
  })

  it('never go back in time, whatever the model says', () => {
    const words = [
      { text: ' a', start: 1, end: 2 },
      { text: ' b', start: 0.5, end: 0.6 },
    ]
    const placed = spokenWords(words, (start, end) => ({ start, end }))
    expect(placed.map(({ start, end }) => [start, end])).to.deep.equal([
      [1, 2],
      [1, 1],
    ])
  })
})

describe('languages', () => {
  it('are those of Whisper, with codes of ISO 639-1', () => {
    expect(languages).to.have.length(100)
    expect([toWhisper('EN'), toWhisper('jv'), toWhisper('nb'), toWhisper('xx')]).to.deep.equal([
      'en',
      'jw',
      'no',
      undefined,
    ])
    expect([fromWhisper('jw'), fromWhisper('de')]).to.deep.equal(['jv', 'de'])
  })

  it('come round, also by their canonical tags', () => {
    const tags = languages.flatMap((code) => Intl.getCanonicalLocales(code))
    expect(tags.map((tag) => fromWhisper(toWhisper(tag) ?? ''))).to.deep.equal(languages)
  })
})
