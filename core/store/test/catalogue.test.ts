import { expect } from 'chai'
import { loadCatalogues, parseCatalogue } from '../src/catalogue.js'

const digest = 'a'.repeat(64)

const catalogue = (source: string, more = ''): string => `
models:
  a-model:
    description: d
    capabilities: [chat]
    licence: MIT
${more}    files:
      model:
        size: 3
        sha256: ${digest}
        sources:
          - ${source}
`

describe('the catalogue of models', () => {
  it('is built in, with all that a user may want to know', async () => {
    const models = await loadCatalogues([])
    expect([...models.keys()]).to.include.members(['smollm2-135m-instruct', 'all-minilm-l6-v2', 'whisper-base'])
    for (const { files, licence, attribution } of models.values()) {
      expect(Object.keys(files)).not.to.be.empty
      if (licence.startsWith('CC-BY')) expect(attribution, 'CC BY asks for the authors to be named').to.be.a('string')
    }
    expect(models.get('whisper-base')?.files.model?.sources[0]).to.have.property('kind', 'parts')
  })

  it('reads every kind of source', () => {
    const sources: [string, object][] = [
      ['{ path: ../a.gguf }', { kind: 'path', path: '/x/a.gguf' }],
      ["{ npm: '@s/p@1.2.3', member: d/a }", { kind: 'npm', package: '@s/p@1.2.3', member: 'd/a' }],
      ['{ pypi: p==1.0, member: d/a }', { kind: 'pypi', package: 'p==1.0', member: 'd/a' }],
      [
        `{ hub: o/r@${'b'.repeat(40)}, member: a }`,
        { kind: 'hub', repository: 'o/r', commit: 'b'.repeat(40), member: 'a' },
      ],
      [
        '{ parts: [{ pypi: p==1, member: a }, { npm: q@1.0.0, member: b }] }',
        {
          kind: 'parts',
          parts: [
            { kind: 'pypi', package: 'p==1', member: 'a' },
            { kind: 'npm', package: 'q@1.0.0', member: 'b' },
          ],
        },
      ],
    ]
    for (const [text, expected] of sources)
      expect(parseCatalogue(catalogue(text), '/x/y/models.yaml').get('a-model')?.files.model?.sources).to.deep.equal([
        expected,
      ])
  })

  const faults: [what: string, text: string, message: RegExp][] = [
    [
      'an unknown key',
      catalogue('{ pypi: p==1, member: a }', '    license: MIT\n'),
      /m\.yaml:7.*did you mean "licence"/,
    ],
    ['an unknown key of a source', catalogue('{ pypy: p==1, member: a }'), /did you mean "pypi"/],
    ['two places in one source', catalogue("{ pypi: p==1, npm: 'p@1.0.0', member: a }"), /exactly one of/],
    ['no place', catalogue('{ member: a }'), /exactly one of/],
    ['no member', catalogue('{ pypi: p==1 }'), /lacks "member"/],
    ['a member above the package', catalogue('{ pypi: p==1, member: ../a }'), /member/],
    ['an absolute member', catalogue('{ pypi: p==1, member: /a }'), /member/],
    ['a branch of a hub', catalogue('{ hub: o/r@main, member: a }'), /hub/],
    ['a range of versions', catalogue("{ npm: 'p@^1.0.0', member: a }"), /npm/],
    ['an option in place of a package', catalogue('{ pypi: --index-url==1, member: a }'), /pypi/],
    ['a URL in place of a package', catalogue("{ npm: 'https://x/p.tgz@1.0.0', member: a }"), /npm/],
    ['a digest that is none', catalogue('{ pypi: p==1, member: a }').replace(digest, '../../x'), /sha256/],
    ['one part', catalogue('{ parts: [{ pypi: p==1, member: a }] }'), /parts/],
  ]
  for (const [what, text, message] of faults)
    it(`refuses ${what}`, () => expect(() => parseCatalogue(text, 'm.yaml')).to.throw(message))
})
