import { expect } from 'chai'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { loadConfig } from '../src/load.js'
import { parseConfig } from '../src/parse.js'
import { parseOverride } from '../src/overrides.js'
import type { ConfigOverride } from '../src/overrides.js'

const base = 'server:\n  port: 1\nmodels:\n  "qwen2.5": {backend: x, aliases: [a]}\n'

describe('overrides of a configuration', () => {
  const directory = useTemporaryDirectory()
  const load = (...overrides: ConfigOverride[]) =>
    loadConfig(directory.write('config.yaml', base), { overrides, environment: {} })
  const set = (...texts: string[]) => load(...texts.map(parseOverride))
  const failureOf = (...texts: string[]) => directory.failureOf(() => set(...texts))

  it('replace a value, add one, and make the maps around it', async () => {
    const { sections } = await set('server.port=8080', 'server.host=0.0.0.0', 'other.deep.flag=true')
    expect(sections['server']).to.deep.equal({ port: 8080, host: '0.0.0.0' })
    expect(sections['other']).to.deep.equal({ deep: { flag: true } })
  })

  it('reach names with dots, and into lists', async () => {
    const { models } = await set('models["qwen2.5"].options.parallel=2', 'models."qwen2.5".aliases[0]=b')
    expect(models['qwen2.5']).to.deep.include({ options: { parallel: 2 }, aliases: ['b'] })
  })

  it('are the place of the maps that they make', async () => {
    const { where } = await set('other.deep.flag=true')
    expect(where(['other'])).to.equal('--set other.deep.flag')
    expect(where(['models'])).to.match(/config\.yaml:\d+:\d+$/)
  })

  it('may hold lists, maps and equals signs', async () => {
    const { plugins, sections } = await set('plugins=[a, b]', 'server.url=http://h/?a=b', 'server.map={x: 1}')
    expect(plugins).to.deep.equal([{ use: 'a' }, { use: 'b' }])
    expect(sections['server']).to.deep.equal({ port: 1, url: 'http://h/?a=b', map: { x: 1 } })
  })

  it('may be written in short form', async () => {
    const { policies } = await set('policies.default.input.pii=true')
    expect(policies['default']?.input['pii']).to.deep.equal({})
  })

  it('may be values of a program', async () => {
    const { sections } = await load({ path: ['server', 'port'], value: 8080 }, { path: 'server.name', value: '' })
    expect(sections['server']).to.deep.equal({ port: 8080, name: '' })
  })

  it('apply to a configuration from code', () => {
    const config = parseConfig({ limits: { drain: 1 } }, directory.path, [{ path: 'limits.drain', value: 2 }])
    expect(config.limits.drain).to.equal(2)
  })

  const mistakes: readonly (readonly [given: string, message: string])[] = [
    ['limits.drain=soon', '--set limits.drain: limits.drain: must be a number from 0 to 86400, but is the text "soon"'],
    ['limits={drian: 1}', '--set limits: limits.drian: unknown key: did you mean "drain"?'],
    ['server.port.x=1', '--set server.port.x: server.port: holds a single value: nothing can be set inside it'],
    ['plugins[1]=a', '--set plugins[1]: plugins[1]: the list has 0 items: use a position up to 0'],
    ['plugins.00=a', '--set plugins.00: plugins.00: the list has 0 items: use a position up to 0'],
    ['plugins[""]=a', '--set plugins[""]: plugins[""]: the list has 0 items: use a position up to 0'],
    ['__proto__.x=1', '--set __proto__.x: __proto__: this key is not allowed'],
    ['server.__proto__=1', '--set server.__proto__: server.__proto__: this key is not allowed'],
    ['server.port', '--set server.port: write it as path=value, such as server.port=8080'],
    ['server..port=1', '--set server..port: write the path as server.port, or models["name.with.dots"].options'],
    ['=1', '--set : name what to set, such as server.port=8080'],
  ]
  for (const [given, message] of mistakes)
    it(`refuse ${given}`, async () => {
      expect(await failureOf('plugins=[]', given)).to.equal(`config_invalid ${message}`)
    })
})
