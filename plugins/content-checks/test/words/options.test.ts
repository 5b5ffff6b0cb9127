import { expect } from 'chai'
import { compileOptions } from '@sallyport/kit/schemas'
import { words } from '@sallyport/content-checks'

const check = compileOptions({ type: 'object', additionalProperties: false, properties: words.check.options })
const problemOf = (options: object): string => {
  try {
    check(options)
    return ''
  } catch (error) {
    return String(error)
  }
}

describe('options of words', () => {
  for (const pattern of [String.raw`\bAPX-\d{4}\b`, '(?:a|b)+', String.raw`\\1`, '[^]', String.raw`\p{Script=Greek}`])
    it(`take the pattern ${pattern}`, () => {
      expect(problemOf({ words: [{ pattern }] })).to.equal('')
    })

  for (const pattern of [
    '(?=a)',
    '(?<!a)b',
    String.raw`(a)\1`,
    String.raw`(?<n>a)\k<n>`,
    '(unclosed',
    String.raw`a\nb`,
    'a\nb',
    '',
  ])
    it(`refuse the pattern "${pattern}", and say what is wrong`, () => {
      expect(problemOf({ lists: { a: [{ pattern }] } })).to.include(
        'without lookaround, backreferences and line breaks',
      )
    })

  for (const [name, options] of Object.entries({
    'a word of spaces': { words: ['  '] },
    'an invisible word': { words: ['\u200b'] },
    'a list whose name has spaces': { lists: { 'my list': ['x'] } },
  }))
    it(`refuse ${name}`, () => {
      expect(problemOf(options)).to.not.equal('')
    })
})
