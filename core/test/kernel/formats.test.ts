import { expect } from 'chai'
import { parseConfig } from '../../src/config/index.js'
import {
  chat,
  createKernel,
  definePlugin,
  inject,
  injectable,
  kernel as kernelToken,
  modelSpec,
  otherModel,
  provide,
  tokens,
} from '../../src/index.js'
import type { BackendDefinition, Kernel, ModelBackend, ModelSpec } from '../../src/index.js'
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

describe('what a catalogue says that a model can be used for', () => {
  const composed = (spec: ModelSpec, kernel: Kernel) =>
    void otherModel(kernel, { ...spec, options: { of: 'm' } }, 'of', chat)
  @injectable()
  class Composed extends Idle {
    constructor(@inject(modelSpec) spec: ModelSpec, @inject(kernelToken) kernel: Kernel) {
      super()
      composed(spec, kernel)
    }
  }
  const backends: Record<string, BackendDefinition> = {
    several: { description: 'd', capabilities: [chat, tokens], class: Idle },
    composed: { description: 'd', capabilities: [tokens], class: Composed, files: 'none', check: composed },
  }
  const config = {
    plugins: [definePlugin({ name: 'p', backends })],
    models: { composed: { backend: 'composed' }, m: { backend: 'several' } },
  }
  const locatedAs = (capabilities: string[]) =>
    Promise.resolve({ files: {}, missing: [], entry: { description: 'd', capabilities } })
  const problem = 'model composed: its option of names "m", which is no other model with chat (there are: none)'

  for (const [what, capabilities, expected] of [
    ['something else', ['tokens'], problem],
    ['that', ['tokens', 'chat'], undefined],
    ['nothing that its backend does', ['rerank'], undefined],
  ] as const) {
    const told = expected === undefined ? 'takes' : 'refuses'
    it(`${told} it as a part of another one at a start: ${what}`, async () => {
      const files = { resolve: () => locatedAs([...capabilities]) }
      const error = await createKernel(config, { files }).then(
        (kernel) => kernel.stop(),
        (failed: unknown) => (failed as Error).message,
      )
      expect(error).to.equal(expected)
    })

    it(`${told} it as a part of another one at a check: ${what}`, async () => {
      const { config: complete, plugins } = await loadPlugins(parseConfig(config, '/'))
      const kernel = new RunningKernel(complete, plugins, {})
      const locator = { locate: () => locatedAs([...capabilities]) }
      const [plan] = await planModels(complete, { plugins, locator, kernel })
      expect(plan?.problem).to.equal(expected)
    })
  }
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
