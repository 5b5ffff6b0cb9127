import { expect } from 'chai'
import fc from 'fast-check'
import type { Call } from '@sallyport/core'
import { layoutOf } from '../src/text/layout.js'
import { damagedItems, hasWords, itemsOf } from '../src/text/protected.js'
import { splitToLength, sentencesOf } from '../src/text/sentences.js'
import { translateText } from '../src/text/translate-text.js'

const call: Call = { signal: new AbortController().signal, requestId: 'test', tenant: 'test' } as Call

const options = { language: 'en', target: 'de', maxLength: 400, joinsSentences: false }
const unitsOf = (text: string, more: object = {}) =>
  [...layoutOf(text, { ...options, ...more })].flatMap((piece) => ('words' in piece ? [piece.words] : []))

/** Translates every unit by itself, in one go. */
const translateWith = (text: string, translate: (unit: string) => string) =>
  translateText(text, options, (units) => Promise.resolve(units.map(translate)), call)

const upper = (text: string) => text.toUpperCase()

describe('what must stay in a translation', () => {
  for (const [text, items] of [
    ['See https://example.org/a?b=1, or www.example.org.', ['https://example.org/a?b=1', 'www.example.org']],
    ['Write to jane.doe@mail.example.org!', ['jane.doe@mail.example.org']],
    ['Hello {name}, {{ user.name }}, ${total}', ['{name}', '{{ user.name }}', '${total}']],
    ['%s has %1$d of %(count)s, 100 % sure, 5% off', ['%s', '%1$d', '%(count)s', '100', '5']],
    ['<PERSON> met <b>her</b><br/>', ['<PERSON>', '<b>', '</b>', '<br/>']],
    ['a < b and c > d', []],
    ['1,234.56 on 2024-05-01 at 15:30', ['123456', '20240501', '1530']],
    ['[a link](https://x.org/y) and `code = 1`', ['](https://x.org/y)', '`code = 1`']],
    ['@jane uses #tag &amp; [PERSON]', ['@jane', '#tag', '&amp;', '[PERSON]']],
    ['[note] this', []],
    ['١٢٣ und 123', ['123', '123']],
  ] as const)
    it(`is ${JSON.stringify(items)} in ${text}`, () => {
      expect(itemsOf(text).map(({ key }) => key)).to.deep.equal(items)
    })

  for (const [text, translation, lost] of [
    ['{name} is here', '{Name} ist da', ['{name}']],
    ['{a} and {a}', '{a}', ['{a}', '{a}']],
    ['1,234.5 metres', '1.234,5 Meter', []],
    ['1,234.5 metres', '1.235 Meter', ['12345']],
    ['at 3 pm', 'um 15 Uhr', []],
    ['two of 12 and 40', 'zwei von zwölf und vierzig', ['40']],
    ['123', '١٢٣', []],
  ] as const)
    it(`is missed in ${JSON.stringify(translation)} of ${JSON.stringify(text)}: ${lost.join() || 'nothing'}`, () => {
      expect(damagedItems(text, translation).map(({ key }) => key)).to.deep.equal(lost)
    })

  it('leaves no words in addresses and placeholders', () => {
    expect(['https://example.org', '{name} %s', '12 %', '---', 'a {name}'].map(hasWords)).to.deep.equal([
      ...[false, false, false, false],
      true,
    ])
  })
})

describe('sentences', () => {
  for (const [text, sentences, language = 'en'] of [
    ['One. Two? Three!', ['One. ', 'Two? ', 'Three!']],
    ['Dr. Smith met Mrs. Jones. They talked.', ['Dr. Smith met Mrs. Jones. ', 'They talked.']],
    ['J. R. Tolkien wrote. I read.', ['J. R. Tolkien wrote. ', 'I read.']],
    ['See e.g. Bonn. Or not.', ['See e.g. Bonn. ', 'Or not.']],
    ['Is it https://a.org/b?c=D or not? Yes.', ['Is it https://a.org/b?c=D or not? ', 'Yes.']],
    ['Am 3. Mai war es. Dann nicht.', ['Am 3. Mai war es. ', 'Dann nicht.'], 'de'],
    ['一つです。二つです。', ['一つです。', '二つです。'], 'ja'],
  ] as const)
    it(`of ${text}`, () => {
      expect([...sentencesOf(text, language)]).to.deep.equal(sentences)
    })

  it('are the text together', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect([...sentencesOf(text, 'en')].join('')).to.equal(text)
      }),
    )
  })

  it('that are too long are cut between words, and are the text together', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 8, max: 60 }), (text, longest) => {
        const parts = splitToLength(text, longest)
        expect(parts.join('')).to.equal(text)
        for (const part of parts) expect(part.length).to.be.at.most(longest)
      }),
    )
    expect(splitToLength('one two, three four five', 14)).to.deep.equal(['one two, ', 'three four ', 'five'])
  })
})

describe('the layout of a text', () => {
  for (const [name, text, units] of [
    ['keeps headings and list marks', '# Title\n- one\n  2. two\n[x] no', ['Title', 'one', 'two', 'no']],
    ['keeps check boxes and quotes', '> - [x] done it', ['done it']],
    ['keeps the cells of tables', '| a b | 12 |\n|---|---|\n| c | d |', ['a b', 'c', 'd']],
    ['keeps code', 'See\n```js\nconst a = 1\n```\nthat', ['See', 'that']],
    ['keeps tags at the ends', '<p><b>Hello there</b></p>', ['Hello there']],
    ['keeps tags in the middle for the engine', 'Say <b>hello</b> now', ['Say <b>hello</b> now']],
    ['cuts sentences', 'One two. Three four.', ['One two.', 'Three four.']],
    [
      'joins lines that were broken at a width',
      'This is a line that somebody has broken at a width,\nand this is the rest of it.\nA new one.',
      ['This is a line that somebody has broken at a width, and this is the rest of it.', 'A new one.'],
    ],
    ['joins no short lines', 'roses are red\nviolets are blue', ['roses are red', 'violets are blue']],
  ] as const)
    it(name, () => {
      expect(unitsOf(text)).to.deep.equal(units)
    })

  it('puts sentences of a line together where that is wanted', () => {
    expect(unitsOf('One two. Three. Four five six.', { joinsSentences: true, maxLength: 20 })).to.deep.equal([
      'One two. Three.',
      'Four five six.',
    ])
  })

  it('is the text again where nothing is joined', () => {
    const mark = fc.constantFrom('# ', '- ', '1. ', '> ', '| ', '|', '\t', '  ', '<b>', '</p>', '```', '\r\n', '\n\n')
    const word = fc.constantFrom('One. ', 'two', 'Three! ', '{x}', '12', ' ', 'é', '👩‍🚀', '。')
    fc.assert(
      fc.property(fc.array(fc.oneof(mark, word), { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const pieces = [...layoutOf(text, options)]
        fc.pre(pieces.every((piece) => 'kept' in piece || piece.width === undefined))
        expect(pieces.map((piece) => ('kept' in piece ? piece.kept : piece.words)).join('')).to.equal(text)
      }),
    )
  })
})

describe('a translated text', () => {
  it('has the lines, marks and spaces of the text', async () => {
    const text = '# Good day\n\n- one two \n- three\n\n\tLast. One!\n'
    expect(await translateWith(text, upper)).to.equal('# GOOD DAY\n\n- ONE TWO \n- THREE\n\n\tLAST. ONE!\n')
  })

  it('is broken at the width again where lines were joined', async () => {
    const text = 'This is a line that somebody has broken at a width,\nand this is the rest of it.\n\nNext.'
    expect(await translateWith(text, upper)).to.equal(upper(text))
  })

  it('takes long texts in little time, whatever they are made of', async () => {
    for (const part of ['a?', ' ', '<a>', 'a', 'a ', '1.', '\n', '|', '- ', '```\n', 'a@', '{'])
      expect((await translateWith(`x${part.repeat(50_000)}y`, (unit) => unit)).length).to.equal(
        50_000 * part.length + 2,
      )
  })

  it('asks for each sentence once, all in one go', async () => {
    const asked: (readonly string[])[] = []
    const remember = (units: readonly string[]) => {
      asked.push(units)
      return Promise.resolve(units)
    }
    await translateText('One two. Three.\nOne two.', options, remember, call)
    expect(asked).to.deep.equal([['One two.', 'Three.']])
  })

  it('is made of parts where an engine has damaged what must stay', async () => {
    expect(await translateWith('Hello {name}, see https://a.org/b now!', upper)).to.equal(
      'HELLO {name}, SEE https://a.org/b NOW!',
    )
  })

  it('has no full stop that the text has not, and no line breaks of the engine', async () => {
    expect(await translateWith('a title', () => 'ein\nTitel.')).to.equal('ein Titel')
    expect(await translateWith('A sentence.', () => 'Ein Satz.')).to.equal('Ein Satz.')
  })

  it('has all that must stay, whatever the engine does', async () => {
    const item = fc.constantFrom('{name}', '%s', '<PERSON>', 'https://a.org/?q=1', '4711', '`x y`', 'a@b.org', '{{n}}')
    const word = fc.constantFrom('the', 'cat', 'Über', 'and', 'red.', 'Is it?', '\n', '\n\n- ')
    const engines: ((unit: string) => string)[] = [
      upper,
      () => '',
      () => 'nothing of it',
      (unit) => `${unit} ${unit}`,
      (unit) => Array.from(unit).reverse().join(''),
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(item, word), { maxLength: 20 }),
        fc.constantFrom(...engines),
        async (parts, engine) => {
          const text = parts.join(' ')
          const translation = await translateWith(text, engine)
          expect(damagedItems(text, translation).filter(({ key }) => !/^\d+$/.test(key))).to.deep.equal([])
          expect(translation.match(/\n/g)?.length).to.equal(text.match(/\n/g)?.length)
        },
      ),
    )
  })

  it('is given up with the signal', async () => {
    const abort = new AbortController()
    const translate = (units: readonly string[]) => {
      abort.abort(new Error('enough'))
      return Promise.resolve(units)
    }
    const failed = await translateText('One. Two.', options, translate, { ...call, signal: abort.signal }).catch(
      (error: unknown) => error as Error,
    )
    expect(failed).to.be.an('error').with.property('message', 'enough')
  })
})
