import { outputText } from '@sallyport/core'
import { expect } from 'chai'
import { outputOf } from '../src/content.js'

const result = (...texts: string[]) => ({ content: texts.map((text) => ({ type: 'text', text })) })

describe('what a tool returns', () => {
  const cases: [string, object, number, string | string[]][] = [
    ['a text is one', result('a\nb'), 99, 'a\nb'],
    ['several are parts', result('zebulon.qu', 'ark@corvidpost.org'), 99, ['zebulon.qu', 'ark@corvidpost.org']],
    ['a digit at the end of an address is none', result('to zebulon99', '42@corvidpost.org'), 99, ['to zebulon99', '42@corvidpost.org']], // prettier-ignore
    ['numbers are a text of lines', result('41111111', '11111111', 'x'), 99, ['41111111\n11111111', 'x']],
    ['nothing is an empty text', {}, 99, ''],
    [
      'of what is no text, a line tells',
      { content: [{ type: 'image', mimeType: 'image/png' }] },
      99,
      '[image, image/png]',
    ],
    ['a structure stands for texts', { content: [], structuredContent: { a: 1 } }, 99, '{"a":1}'],
    [
      'what is too long is cut',
      result('a'.repeat(60), 'b'.repeat(80)),
      122,
      ['a'.repeat(60), `${'b'.repeat(11)}\n[truncated: the output was longer than 122 bytes]`],
    ],
    [
      'what is cut before invisible characters are removed is noted, too',
      result(`${'\u001b[31m'.repeat(25)}${'a'.repeat(60)}`),
      99,
      '\n[truncated: the output was longer than 99 bytes]',
    ],
    [
      'parts that begin after that are left out',
      result('a'.repeat(99), 'b', 'c'),
      99,
      `${'a'.repeat(50)}\n[truncated: the output was longer than 99 bytes]`,
    ],
  ]
  for (const [what, given, max, expected] of cases)
    it(what, () => {
      const { output } = outputOf({ ...given }, max)
      expect(output).to.deep.equal(expected)
      expect(Buffer.byteLength(outputText({ output }))).to.be.at.most(max)
    })

  it('has few parts, and all of the text', () => {
    const texts = Array.from({ length: 500 }, (_, at) => `part ${at}`)
    const { output } = outputOf(result(...texts), 99_999)
    expect(output).to.be.an('array').with.lengthOf(64)
    expect(outputText({ output })).to.equal(texts.join('\n'))
  })

  it('is a failure with a text, whatever the server says', () => {
    expect(outputOf({ isError: true }, 99)).to.deep.equal({
      output: 'the tool failed and does not say why',
      error: true,
    })
  })
})
