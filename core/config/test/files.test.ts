import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { definePlugin } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import reference from '@sallyport/testing/reference'
import { loadConfig } from '../src/load.js'
import { parseConfig } from '../src/parse.js'
import { checkSettings } from '../src/settings.js'

describe('a configuration file', () => {
  const directory = useTemporaryDirectory()
  const load = (text: string | Uint8Array, environment: Record<string, string> = {}) =>
    loadConfig(directory.write('config.yaml', text), { environment })
  const failureOf = (text: string | Uint8Array) => directory.failureOf(() => load(text))

  it('has its defaults filled in', async () => {
    const config = await load('models: {a: {backend: x}}')
    expect(config.models['a']).to.deep.equal({ backend: 'x', aliases: [], options: {} })
    expect(config.limits).to.deep.equal({ deadline: 300, drain: 30, memory: 0.9 })
    expect(config.store).to.deep.equal({ catalogues: [], offline: false })
    expect(config.log).to.deep.equal({ level: 'info', format: 'auto', exceptions: 'frames' })
    expect(config.baseDirectory).to.equal(directory.path)
  })

  it('has the defaults of its checks filled in when those are known', async () => {
    const text = 'policies: {strict: {input: {pii: true, house: {check: injection, detectors: [a]}}}}'
    const { policies, callerPolicy } = checkSettings(await load(text), [reference])
    expect(policies['strict']).to.deep.equal({
      input: {
        pii: {
          ...{ check: 'pii', mode: 'enforce', threshold: 0, onFailure: 'block', budget: 5000 },
          ...{ action: 'block', method: 'random', ignore: [] },
        },
        house: {
          ...{ check: 'injection', mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 5000 },
          ...{ detectors: [{ model: 'a', threshold: 0.5 }], combine: 'any', action: 'block', method: 'category' },
        },
      },
      output: {},
    })
    const strict = { mode: 'enforce', onFailure: 'block' }
    expect(callerPolicy.output['factuality']).to.deep.equal({
      ...{ check: 'factuality', threshold: 0.5, budget: 5000, window: 'segment', unreferenced: 'pass', ...strict },
    })
    expect(callerPolicy.input['pii']).to.deep.equal({
      ...{ check: 'pii', threshold: 0, budget: 5000, method: 'random', ...strict },
    })
    const { input, output } = callerPolicy
    const thresholds = [input['injection'], input['pii'], output['pii'], output['toxicity']]
    expect(thresholds.map((check) => check?.threshold)).to.deep.equal([0.5, 0, 0, 0.5])
  })

  it('may be JSON', async () => {
    const config = await load('{\n\t"$schema": "./schema.json",\n\t"log": {"level": "warn"}\n}\n')
    expect(config.log.level).to.equal('warn')
    expect(config.sections).to.deep.equal({})
  })

  it('may have a byte order mark and line ends of Windows', async () => {
    const config = await load('\uFEFFlog:\r\n  level: warn\r\n')
    expect(config.log.level).to.equal('warn')
  })

  it('may have headings with nothing below', async () => {
    const config = await load('plugins:\nmodels:\npolicies:\nserver:\n')
    expect(config.plugins).to.deep.equal([])
    expect(config.sections['server']).to.deep.equal({})
  })

  it('writes plugins out, and checks that are true or false', async () => {
    const config = await load('plugins: [a, {use: b}]\npolicies: {p: {output: {toxicity: true, pii: false}}}')
    expect(config.plugins).to.deep.equal([{ use: 'a' }, { use: 'b' }])
    expect(config.policies['p']?.output).to.have.all.keys('toxicity')
  })

  it('takes anchors and merges, where what is nearer wins', async () => {
    const config = await load(
      [
        'base: &base {backend: x, description: base, options: {a: 1}}',
        'other: &other {ownedBy: other, description: other}',
        'models:',
        '  first: {<<: *base, description: own}',
        '  second: {<<: [*base, *other]}',
        '  third: *base',
      ].join('\n'),
    )
    const { first, second, third } = config.models
    expect(first).to.include({ backend: 'x', description: 'own' })
    expect(second).to.include({ backend: 'x', description: 'base', ownedBy: 'other' })
    expect(third?.options).to.deep.equal({ a: 1 })
    expect(third?.options).to.not.equal(first?.options)
  })

  it('remembers where values are written', async () => {
    const { where } = await load('models:\n  "a.b":\n    backend: x\n')
    const place = (path: (string | number)[], part?: 'key') => where(path, part)?.replace(`${directory.path}/`, '')
    expect(place(['models', 'a.b', 'backend'])).to.equal('config.yaml:3:14')
    expect(place(['models', 'a.b', 'backend'], 'key')).to.equal('config.yaml:3:5')
    expect(place(['models', 'a.b', 'options', 'threads'])).to.equal('config.yaml:2:3')
    expect(place(['log', 'level'])).to.equal('config.yaml:1:1')
  })

  describe('is refused', () => {
    it('when it is not there', async () => {
      expect(await directory.failureOf(() => loadConfig(join(directory.path, 'none.yaml')))).to.equal(
        'config_invalid none.yaml: there is no such configuration file',
      )
    })

    it('when it is a directory', async () => {
      mkdirSync(join(directory.path, 'inner'))
      expect(await directory.failureOf(() => loadConfig(join(directory.path, 'inner')))).to.equal(
        'config_invalid inner: is a directory: name the configuration file in it',
      )
    })

    it('when it is not text', async () => {
      const failure = await failureOf(Uint8Array.of(0x6c, 0x3a, 0xff, 0xfe))
      expect(failure).to.equal('config_invalid config.yaml: is not a text file in UTF-8')
    })

    it('when it is too large', async () => {
      const failure = await failureOf(`# ${'x'.repeat(300 * 1024)}`)
      expect(failure).to.equal('config_invalid config.yaml: is larger than 256 KiB')
    })
  })

  describe('is frozen', () => {
    const text = 'models: {a: {backend: x, aliases: [b], options: {deep: {list: [1]}}}}\nserver: {port: 1}'

    it('to the bottom', async () => {
      const config = await load(text)
      const options = config.models['a']?.options as { deep: { list: number[] } }
      expect(() => options.deep.list.push(2)).to.throw(TypeError)
      for (const part of [
        config,
        config.models,
        config.policies,
        config.callerPolicy.input.pii,
        config.sections,
        options,
      ])
        expect(part).to.be.frozen
      expect(config.sections['server']).to.be.frozen
    })

    it('also when it came from code', () => {
      const config = parseConfig({ plugins: ['a', definePlugin({ name: 'b' })] }, directory.path)
      expect(config).to.be.frozen
      expect(config.plugins).to.be.frozen
      expect(config.plugins[1]).to.be.frozen
    })

    it('and holds no name that was not written', async () => {
      const config = await load(text)
      for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
        expect(config.models[name]).to.equal(undefined)
        expect(config.policies[name]).to.equal(undefined)
        expect(config.sections[name]).to.equal(undefined)
      }
      expect(({} as Record<string, unknown>)['x']).to.equal(undefined)
    })
  })
})
