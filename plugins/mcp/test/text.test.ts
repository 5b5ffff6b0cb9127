import { expect } from 'chai'
import fc from 'fast-check'
import { cleanText } from '../src/text.js'

describe('text of a server', () => {
  for (const [what, text] of Object.entries({
    'lines and tabs': 'a\tb\nc',
    'Persian with a zero-width non-joiner': 'می\u200cخواهم',
    'Sinhala with a joiner': 'ශ්\u200dරී',
    'a family of emoji': '👨\u200d👩🏽\u200d👧',
    'a heart that burns': '❤\ufe0f\u200d🔥',
    'a digit as a key': '1\ufe0f\u20e3',
    'an ideograph in another form': '葛\u{e0100}',
  }))
    it(`keeps ${what}`, () => expect(cleanText(text)).to.equal(text))

  for (const [what, hidden] of Object.entries({
    'a space without width': '\u200b',
    'marks of direction': '\u200e\u200f\u061c\u202e\u2066',
    'a word joiner and invisible operators': '\u2060\u2062\u2064',
    'a byte order mark': '\ufeff',
    'a soft hyphen': '\u00ad',
    'a combining joiner': '\u034f',
    'fillers of Hangul': '\u115f\u1160\u3164\uffa0',
    'fillers with selectors': '\u3164\ufe01\u3164\ufe02',
    'a run of joiners': '\u200d\u200c\u200d',
    'joiners between selectors': '\u200d\ufe0f\u200d\ufe0f\u200d\u200d',
    'bytes in variation selectors': '\u{e0148}\u{e0155}',
    'a sentence in tags': '\u{e0049}\u{e0067}\u{e007f}',
    'a long run': '\u200b'.repeat(1e6),
    'halves of pairs': '\ud83d',
    'control characters': '\u0000\u009b',
  }))
    it(`loses ${what}`, () => expect(cleanText(`see${hidden} here`)).to.equal('see here'))

  it('keeps one variation selector of several', () => expect(cleanText('❤\ufe0f\ufe0e\ufe01')).to.equal('❤\ufe0f'))

  it('is clean when it was cleaned once, and as visible as before', () => {
    const odd = [
      'a',
      '葛',
      '❤',
      '👩',
      '🏽',
      ' ',
      '\u200b',
      '\u200c',
      '\u200d',
      '\u3164',
      '\ufe0f',
      '\ufe01',
      '\u{e0100}',
    ]
    const texts = fc.array(fc.constantFrom(...odd), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => {
        const cleaned = cleanText(text)
        expect(cleanText(cleaned)).to.equal(cleaned)
        expect(cleaned).not.to.match(/\p{DI}{3}|^\p{DI}|[\u200b\u3164]/u)
        expect(cleaned.replace(/\p{DI}/gu, '')).to.equal(text.replace(/\p{DI}/gu, ''))
      }),
      { numRuns: 2000 },
    )
  })
})
