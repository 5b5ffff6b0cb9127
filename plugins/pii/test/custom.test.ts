import { tmpdir } from 'node:os'
import { createKernel } from '@sallyport/kernel'
import { pii } from '@sallyport/checks'
import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import plugin from '../src/index.js'

const kernelWith = (options: object, baseDirectory?: string) =>
  createKernel(
    { plugins: [plugin], models: { pii: { backend: 'pii', options: { key: 'a key of sixteen', ...options } } } },
    baseDirectory ? { baseDirectory } : {},
  )

const problemOf = (options: object, baseDirectory?: string) =>
  kernelWith(options, baseDirectory).then(
    async (kernel) => {
      await kernel.stop()
      return expect.fail('it was taken')
    },
    (error: unknown) => String(error),
  )

const found = async (options: object, text: string, baseDirectory?: string) => {
  const kernel = await kernelWith(options, baseDirectory)
  const { findings } = await kernel.get(pii, 'pii').inspect({ text })
  await kernel.stop()
  return findings.map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)
}

const badge = {
  entity: 'BADGE',
  pattern: String.raw`(?<!\d)\d{8}(?!\d)`,
  score: 0.2,
  context: ['Badge'],
  checksum: 'luhn',
}

describe('recognisers of one’s own', () => {
  const directory = useTemporaryDirectory()

  it('come from a configuration', async () => {
    expect(await found({ recognizers: [badge] }, 'badge 12345674')).to.deep.equal(['BADGE 12345674'])
    expect(await found({ recognizers: [badge] }, 'code 12345674')).to.deep.equal([])
  })

  it('come from a module', async () => {
    const { path: folder, write } = directory
    write(
      'plate.mjs',
      String.raw`export default { entity: 'PLATE', patterns: [{ regex: /(?<![A-Z])[A-Z]{2}-\d{4}(?!\d)/u, score: 0.8 }], examples: ['AB-1234'], counterExamples: ['AB-12345'] }`,
    )
    expect(await found({ recognizers: ['./plate.mjs'] }, 'the plate XY-4321', folder)).to.deep.equal(['PLATE XY-4321'])
    write('none.mjs', 'export default 1')
    expect(await problemOf({ recognizers: ['none.mjs'] }, folder)).to.include(
      'its default export is neither a recogniser',
    )
    write(
      'half.mjs',
      "export default { entity: 'PLATE', patterns: [{ regex: /[A-Z]{2}/u, score: 0.8 }], examples: [] }",
    )
    expect(await problemOf({ recognizers: ['half.mjs'] }, folder)).to.include(
      'its counterExamples must be a list of texts in which it finds nothing',
    )
    for (const [part, problem] of [
      ["context: 'plate'", 'its context must be a list of words'],
      ['otherContext: [1]', 'its otherContext must be a list of words'],
      ['validate: 1', 'its validate must be a function'],
      ["within: 'x'", 'its within must be a function'],
      ["entity: 'my plate'", 'its entity must be a name in capitals'],
      ['examples: [1]', 'its examples must be a list of texts'],
      ['patterns: [{ regex: /[A-Z]{2}/u, score: 0.8, within: 1 }]', 'its patterns must be a list of { regex, score }'],
    ] as const) {
      const name = `${part.replace(/\W/g, '')}.mjs`
      write(
        name,
        `export default { entity: 'PLATE', patterns: [{ regex: /[A-Z]{2}/u, score: 0.8 }], examples: ['AB'], counterExamples: [], ${part} }`,
      )
      expect(await problemOf({ recognizers: [name] }, folder)).to.include(problem)
    }
    write('broken.mjs', "throw new Error('no key is set')")
    expect(await problemOf({ recognizers: ['./broken.mjs'] }, folder)).to.include('./broken.mjs: no key is set')
  })

  for (const [name, change, problem] of [
    ['takes exponential time', { pattern: '(?:a|a){1,40}b' }, 'more than linear time'],
    ['takes quadratic time', { pattern: 'a{1,65000}b' }, 'more than linear time'],
    ['has no maximum length', { pattern: 'a+b' }, 'no maximum length'],
    ['is anchored', { pattern: '^a' }, 'must not contain ^'],
    ['refers back', { pattern: String.raw`(a)\1` }, 'references take more than linear time'],
    ['is none', { pattern: '(' }, 'BADGE'],
    ['misses its example', { examples: ['badge 12'] }, 'finds [] in its example'],
    ['finds its counter-example', { counterExamples: ['badge 12345674'] }, 'in its counter-example'],
  ] as const)
    it(`are refused where a pattern ${name}`, async () => {
      expect(await problemOf({ recognizers: [{ ...badge, ...change }] })).to.include(problem)
    }).timeout(30_000)

  for (const [what, options, problem, option] of [
    ['a recogniser', { recognizers: [badge, { ...badge, examples: ['x'] }] }, 'in its example "x"', ['recognizers', 1]],
    ['a file', { recognizers: ['./no.mjs'] }, './no.mjs: there is no such file', ['recognizers', 0]],
    [
      'a type',
      { ignore: ['URL', 'LOCATOIN'] },
      'ignore names "LOCATOIN", which is not a known entity type',
      ['ignore', 1],
    ],
    ['a model', { model: 'nothing' }, 'its option model names "nothing"', ['model']],
  ] as const)
    it(`are refused at a check as at a start, and the option is told: ${what}`, async () => {
      const kernel = await createKernel({ plugins: [] })
      const spec = { id: 'pii', files: {}, options: { recognizers: [], ignore: [], ...options } }
      const error = await Promise.resolve(plugin.backends!['pii']!.check!(spec, kernel, tmpdir())).catch(
        (thrown: unknown) => thrown,
      )
      await kernel.stop()
      expect(error).to.have.property('message').that.includes(problem)
      expect(error).to.have.nested.property('details.option').that.deep.equals(option)
      expect(await problemOf(options, tmpdir())).to.equal(String(error))
    })

  it('are refused with unknown keys', async () => {
    expect(await problemOf({ recognizers: [{ ...badge, patern: 'x' }] })).to.match(/recognizers/)
    expect(await problemOf({ treshold: 1 })).to.match(/treshold/)
  })
})

describe('the detector', () => {
  it('does not look for what it is told to ignore', async () => {
    expect(await found({ ignore: ['URL'] }, 'https://example.org, jane@example.org')).to.deep.equal([
      'EMAIL_ADDRESS jane@example.org',
    ])
  })

  it('is refused where its model is none', async () => {
    expect(await problemOf({ model: 'nothing' })).to.include('its option model names "nothing"')
  })
})
