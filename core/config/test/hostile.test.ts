import { expect } from 'chai'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { isSallyportError } from '@sallyport/core'
import type { ConfigInput } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { loadConfig } from '../src/load.js'
import { parseConfig } from '../src/parse.js'

const line = (name: string, of: string) => `${name}: &${name} [${Array.from({ length: 9 }, () => of).join(', ')}]`

describe('a hostile configuration', () => {
  const directory = useTemporaryDirectory()
  const load = (text: string) => loadConfig(directory.write('config.yaml', text), { environment: {} })

  const refused: readonly (readonly [title: string, text: string, message: string])[] = [
    [
      'of aliases that multiply',
      [line('a', 'x'), line('b', '*a'), line('c', '*b'), line('d', '*c'), line('e', '*d'), line('f', '*e')].join('\n'),
      ':5:12: holds too much: aliases of aliases multiply, and none may stand inside what it stands for',
    ],
    [
      'of merges that multiply',
      'a: &a {x: 1}\n' +
        Array.from({ length: 20 }, (_, n) => {
          const [name, previous] = [String.fromCharCode(98 + n), String.fromCharCode(97 + n)]
          return `${name}: &${name} {p${n}: *${previous}, q${n}: *${previous}}`
        }).join('\n'),
      ':12:22: holds too much: aliases of aliases multiply, and none may stand inside what it stands for',
    ],
    [
      'of an alias in itself',
      'a: &a [*a]',
      ':1:8: holds too much: aliases of aliases multiply, and none may stand inside what it stands for',
    ],
    ['of deep lists', '['.repeat(10_000), ': is nested deeper than 64 levels'],
    ['of deep maps', '{a: '.repeat(10_000), ': is nested deeper than 64 levels'],
    ['of deep blocks', '- '.repeat(10_000), ': is nested deeper than 64 levels'],
    ['of deep keys', '? '.repeat(10_000), ': is nested deeper than 64 levels'],
    ['of many values', `a: [${'1,'.repeat(21_000)}]`, ':1:1: holds more than 20000 values'],
  ]
  for (const [title, text, message] of refused)
    it(`${title} is refused in time`, async () => {
      const start = performance.now()
      expect(await directory.failureOf(() => load(text))).to.equal(`config_invalid config.yaml${message}`)
      expect(performance.now() - start).to.be.below(5000)
    }).timeout(10_000)

  it('of many keys takes little time', async () => {
    const start = performance.now()
    await load(Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join('\n'))
    expect(performance.now() - start).to.be.below(5000)
  }).timeout(10_000)

  const hostileKeys = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

  it('from code pollutes no prototype', () => {
    const input = JSON.parse('{"section": {"__proto__": {"polluted": true}}}') as ConfigInput
    expect(() => parseConfig(input, directory.path)).to.throw('the key "__proto__" is not allowed')
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined)
  })

  it('from code may not contain itself', () => {
    const section: Record<string, unknown> = {}
    section['self'] = section
    expect(() => parseConfig({ section }, directory.path)).to.throw('a value contains itself')
  })

  it('is a configuration, or an error that says where: any text', async () => {
    const word = fc.constantFrom(
      ...[
        'plugins',
        'models',
        'policies',
        'default',
        'input',
        'pii',
        'true',
        'null',
        '1',
        '.inf',
        '"',
        "'",
        '${A}',
        '$${',
      ],
      ...[
        ':',
        ': ',
        '- ',
        '\n',
        '\n  ',
        '\t',
        '{',
        '}',
        '[',
        ']',
        ',',
        '&a ',
        '*a',
        '<<',
        '|',
        '>',
        '!',
        '#',
        '?',
        '%',
        '@',
      ],
      ...hostileKeys,
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word, { maxLength: 40 }).map((words) => words.join('')),
    )
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        await load(content).catch((error: unknown) => {
          if (!isSallyportError(error) || error.code !== 'config_invalid') throw error
          expect(error.message).to.match(/config\.yaml(:\d+:\d+)?: /)
        })
        expect(Object.keys(Object.prototype)).to.deep.equal([])
      }),
      { numRuns: 300 },
    )
  }).timeout(20_000)

  const scalar = fc.oneof(
    fc.string().filter((text) => !text.includes('${')),
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('${')),
    fc.constantFrom(
      'true',
      'null',
      '~',
      '1',
      '0x1',
      '1e3',
      '.inf',
      '- a',
      'a: b',
      '# x',
      ' x ',
      '',
      '*a',
      '&a',
      '<<',
      '%',
      '@',
    ),
    fc.integer(),
    fc.double({ noNaN: true }),
    fc.boolean(),
    fc.constant(null),
  )
  const key = fc.string({ minLength: 1 }).filter((name) => name !== '__proto__' && name !== '<<')
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      scalar,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(key, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  const section = fc.dictionary(key, tree, { maxKeys: 4, noNullPrototype: true })

  it('keeps every value that is printed as YAML or JSON', async () => {
    await fc.assert(
      fc.asyncProperty(section, fc.boolean(), async (value, asJson) => {
        const text = asJson ? JSON.stringify({ section: value }) : stringify({ section: value })
        const expected: unknown = asJson ? JSON.parse(JSON.stringify(value)) : value
        expect((await load(text)).sections['section']).to.deep.equal(expected)
      }),
      { numRuns: 200 },
    )
  }).timeout(20_000)
})
