import { expect } from 'chai'
import { fromWhisper, languages, toWhisper } from '../src/decode/languages.js'
import { wordsOf } from '../src/decode/words.js'
import { segmentsOf, inRecordingTime } from '../src/segments.js'

/** A second each. */
const tokens = (...texts: (string | Buffer)[]) =>
  texts.map((text, index) => ({ bytes: Buffer.from(text as string), start: index, end: index + 1 }))

/** The bytes of a text in several tokens. */
const split = (text: string, parts: number): Buffer[] => {
  const [bytes, size] = [Buffer.from(text), Math.ceil(Buffer.byteLength(text) / parts)]
  return Array.from({ length: parts }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

describe('words of a window', () => {
  for (const [name, parts, language, words] of [
    ['tokens with white space begin them', [' One', ' tw', '-', 'o', '.'], 'en', [' One', ' tw-o.']],
    [
      'a character of several tokens is whole',
      [' Gr', ...split('ü', 2), 'ße', ...split(' 👍', 2), '!'],
      'de',
      [' Grüße', ' 👍!'],
    ],
    ['unreadable to the end', [' a', ...split(' é', 2)], 'en', [' a', ' é']],
    ['half a character at the end is left out', [' a', Buffer.from([0xc3])], 'en', [' a']],
    ['bytes that are no text are left out', [' a', Buffer.from([0xff]), 'b', ' c'], 'en', [' ab', ' c']],
    ['the first one begins with white space, too', ['Hello', ' you'], 'en', [' Hello', ' you']],
    ['without spaces each token is one', ['今日', 'は', '、', '雨'], 'ja', ['今日', 'は、', '雨']],
    ['white space is none', [' '], 'en', []],
    ['nothing', [], 'en', []],
  ] as const)
    it(name, () => {
      expect(wordsOf(tokens(...parts), language).map((word) => word.text)).to.deep.equal(words)
    })

  it('have the times of their tokens', () => {
    expect(wordsOf(tokens(' ab', 'c', ' d'), 'en')).to.deep.equal([
      { text: ' abc', start: 0, end: 2 },
      { text: ' d', start: 2, end: 3 },
    ])
    expect(wordsOf(tokens(...split('雨', 3), 'は'), 'ja')).to.deep.equal([
      { text: '雨', start: 0, end: 3 },
      { text: 'は', start: 3, end: 4 },
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
    const placed = inRecordingTime(words, (start, end) => ({ start, end }))
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
