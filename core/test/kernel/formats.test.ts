import { expect } from 'chai'
import { parseConfig } from '../../src/config/index.js'
import { createKernel, definePlugin, inject, injectable, modelSpec, provide, tokens } from '../../src/index.js'
import type { BackendDefinition, ModelBackend, ModelSpec } from '../../src/index.js'
import { planModels } from '../../src/kernel/plan.js'
import { RunningKernel } from '../../src/kernel/running-kernel.js'
import { loadPlugins } from '../../src/plugins/index.js'

const never = () => new Promise<never>(() => undefined)

@injectable()
class Idle implements ModelBackend {
  load() {
    return Promise.resolve({ provides: [provide(tokens, { tokenize: never, detokenize: never })] })
  }
}

const wanted = { vocabulary: { names: ['vocabulary.txt'] } }
const cases: [what: string, backend: Partial<BackendDefinition>, asked: object][] = [
  ['neither', {}, {}],
  ['formats', { formats: ['.x'] }, { formats: ['.x'] }],
  ['formats and files', { formats: ['.x', '.y'], files: wanted }, { formats: ['.x', '.y'], wanted }],
]

describe('what a catalogue says of a model reaches its backend', () => {
  const told: unknown[] = []
  @injectable()
  class Told extends Idle {
    constructor(@inject(modelSpec) spec: ModelSpec) {
      super()
      told.push(spec.contextLength)
    }
  }
  const check = (spec: ModelSpec) => void told.push(spec.contextLength)
  const backend: BackendDefinition = { description: 'd', capabilities: [tokens], class: Told, check }
  const config = {
    plugins: [definePlugin({ name: 'p', backends: { backend } })],
    models: { m: { backend: 'backend' } },
  }
  const located = { files: {}, missing: [], entry: { description: 'd', contextLength: 256 } }
  beforeEach(() => told.splice(0))

  it('at a start', async () => {
    await (await createKernel(config, { files: { resolve: () => Promise.resolve(located) } })).stop()
    expect(told).to.deep.equal([256])
  })

  it('at a check', async () => {
    const loaded = await loadPlugins(parseConfig(config, '/'))
    const kernel = new RunningKernel(loaded.config, loaded.plugins, {})
    const locator = { locate: () => Promise.resolve(located) }
    await planModels(loaded.config, { plugins: loaded.plugins, locator, kernel })
    expect(told).to.deep.equal([256])
  })
})

describe('the files of a model are asked for as its backend needs them', () => {
  for (const [what, needs, expected] of cases) {
    const backend = { description: 'd', capabilities: [tokens], class: Idle, ...needs }
    const config = {
      plugins: [definePlugin({ name: 'p', backends: { backend } })],
      models: { m: { backend: 'backend', source: './m' } },
    }

    it(`at a start: ${what}`, async () => {
      const asked: object[] = []
      const resolve = (_: string, options: object) => {
        asked.push(Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'signal')))
        return Promise.resolve({ files: {} })
      }
      await (await createKernel(config, { files: { resolve } })).stop()
      expect(asked).to.deep.equal([expected])
    })

    it(`at a check: ${what}`, async () => {
      const asked: object[] = []
      const locate = (_: string, options: object) => {
        asked.push(options)
        return Promise.resolve({ files: {}, missing: [] })
      }
      const loaded = await loadPlugins(parseConfig(config, '/'))
      const kernel = new RunningKernel(loaded.config, loaded.plugins, {})
      await planModels(loaded.config, { plugins: loaded.plugins, locator: { locate }, kernel })
      expect(asked).to.deep.equal([expected])
    })
  }
})
