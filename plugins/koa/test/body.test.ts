/** The parts that read bodies, on their own. */

import { expect } from 'chai'
import { countJson } from '../src/body/count-json.js'
import { locateSyntaxError } from '../src/body/locate.js'
import { parseBody } from '../src/body/parse.js'
import { wireScore } from '../src/dialects/values.js'
import { routingPath } from '../src/http/path.js'
import { languageTag } from '../src/routes/languages.js'

describe('the strings of a body', () => {
  it('has at most so many strings, names of fields among them', async () => {
    const text = JSON.stringify({ a: ['b', 'c"\\'], d: 1 })
    expect(countJson(text, 64)).to.deep.equal({ depth: 2, strings: 4, structures: 2 })
    const body = Buffer.from(JSON.stringify({ a: new Array<string>(70_000).fill('') }))
    expect(await parseBody(body).catch(String)).to.contain('more than 65536 strings')
  })

  it('weighs, and so do its objects and lists, where there are many', async () => {
    const held = async (value: object) => {
      let weight = 0
      await parseBody(Buffer.from(JSON.stringify(value)), { reserve: (bytes) => (weight += bytes) })
      return weight
    }
    expect(await held({ messages: [{ role: 'user', content: 'hi' }] })).to.equal(0)
    expect(await held({ a: new Array<string>(50_000).fill('') })).to.be.above(20_000_000)
    expect(await held({ a: new Array<object>(500_000).fill({}) })).to.be.above(50_000_000)
  })
})

describe('depth of nesting', () => {
  const nestsDeeper = (text: string, max: number) => countJson(text, max).depth > max

  it('is counted outside of strings', () => {
    expect(nestsDeeper('[[]]', 2)).to.equal(false)
    expect(nestsDeeper('[[[]]]', 2)).to.equal(true)
    expect(nestsDeeper('{"a":[{"b":1}]}', 3)).to.equal(false)
    expect(nestsDeeper('["[[[[", "\\"[[[[", "\\\\"]', 1)).to.equal(false)
    expect(nestsDeeper('["\\\\", [[', 2)).to.equal(true)
    expect(nestsDeeper('[],[],[],[]', 1)).to.equal(false)
  })

  it('takes linear time', () => {
    const started = performance.now()
    expect(nestsDeeper(`"${'\\'.repeat(4_000_000)}`, 1)).to.equal(false)
    expect(nestsDeeper('"a",'.repeat(1_000_000), 1)).to.equal(false)
    expect(performance.now() - started).to.be.below(1500)
  })
})

describe('syntax errors', () => {
  for (const [text, message] of [
    ['', 'it ends too early: expected a value at position 0'],
    ['nul', 'expected a value at line 1, column 1 (position 0)'],
    ['{"a" 1}', 'expected ":" at line 1, column 6 (position 5)'],
    ['{"a":1 "b":2}', 'expected "," or the end at line 1, column 8 (position 7)'],
    ['[1,]', 'expected a value at line 1, column 4 (position 3)'],
    ['[1,\n 02]', 'expected "," or the end at line 2, column 3 (position 6)'],
    ['{"a":"b\nc"}', 'expected a value at line 1, column 6 (position 5)'],
    ['{"a":"\\x"}', 'expected a value at line 1, column 6 (position 5)'],
    ['[}', 'expected a value or "]" at line 1, column 2 (position 1)'],
    ['{]', 'expected a property name or "}" at line 1, column 2 (position 1)'],
    ['{1:2}', 'expected a property name or "}" at line 1, column 2 (position 1)'],
    ['{"a":1}}', 'expected the end at line 1, column 8 (position 7)'],
    ['[', 'it ends too early: expected a value or "]" at position 1'],
  ] as const)
    it(`are located in ${JSON.stringify(text)}`, () => {
      expect(locateSyntaxError(text)).to.equal(message)
    })

  it('never quote the text', async () => {
    const error: unknown = await parseBody(Buffer.from('{"secret": word}')).catch((thrown: unknown) => thrown)
    expect(String(error))
      .to.match(/invalid_json|JSON/)
      .and.not.match(/secret|word/)
  })
})

describe('bodies', () => {
  it('may hold a field called constructor, which is nothing special', async () => {
    const body = await parseBody(Buffer.from('{"constructor":{"prototype":{"x":1}}}'))
    expect(Object.keys(body)).to.deep.equal(['constructor'])
    expect(({} as Record<string, unknown>)['x']).to.equal(undefined)
  })

  it('are mended in keys too', async () => {
    expect(Object.keys(await parseBody(Buffer.from('{"a\\udc00":1}')))).to.deep.equal(['a\ufffd'])
  })

  it('of four megabytes are read in time', async () => {
    const text = `{"x":"${'\\u0041'.repeat(600_000)}","y":[${'1,'.repeat(200_000)}1]}`
    const started = performance.now()
    await parseBody(Buffer.from(text))
    expect(performance.now() - started).to.be.below(2000)
  })
})

describe('small conversions', () => {
  it('never print scores as integers', () => {
    expect([0, 1, 0.5, -1, 2].map(wireScore)).to.deep.equal([1e-6, 1 - 1e-6, 0.5, 1e-6, 1 - 1e-6])
  })

  for (const [target, path] of [
    ['/a?b=c', '/a'],
    ['//a', '/a'],
    ['/v1//a', '/v1/a'],
    ['///v1///a', '/v1/a'],
    ['/x//a', '/x//a'],
    ['/v1', '/v1'],
    ['/v10/a', '/v10/a'],
    ['http://host/a', '/a'],
    ['*', '*'],
  ] as const)
    it(`route ${target} as ${path}`, () => {
      expect(routingPath(target)).to.equal(path)
    })

  for (const [written, tag] of [
    ['en', 'en'],
    ['fra', 'fr'],
    ['de-at', 'de-AT'],
    ['pt_BR', 'pt-BR'],
    ['Spanish', 'es'],
    ['chinese', 'zh'],
    ['Romanian', 'ro'],
    ['Yiddish', 'yi'],
    ['Javanese', 'jv'],
    ['Filipino', 'fil'],
    ['Tagalog', 'fil'],
    ['tl', 'fil'],
    ['zz', undefined],
    ['no language', undefined],
    ['', undefined],
  ] as const)
    it(`know the language ${written}`, () => {
      expect(languageTag(written)).to.equal(tag)
    })

  it('know every language by its code and by its name alike', () => {
    const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
    const letters = Array.from('abcdefghijklmnopqrstuvwxyz')
    // `tw` is Twi, which English calls Akan, too
    const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => code !== 'tw')
    const known = codes.filter((code) => names.of(code) !== undefined)
    expect(known.length).to.be.above(150)
    expect(known.map((code) => languageTag(names.of(code)!))).to.deep.equal(known.map(languageTag))
    expect(known.map((code) => Intl.getCanonicalLocales(code)[0])).to.deep.equal(known.map(languageTag))
  })
})
