import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { parseConfig } from '@sallyport/config'
import {
  chat,
  completion,
  definePlugin,
  inject,
  injectable,
  kernel as kernelToken,
  modelSpec,
  options,
  otherModel,
  provide,
  tokens,
} from '@sallyport/core'
import type { BackendDefinition, Kernel, ModelBackend, ModelSpec } from '@sallyport/core'
import { createKernel } from '../src/create-kernel.js'
import { planModels } from '../src/plan.js'
import { PluginKernel } from '../src/plugin-kernel.js'
import { loadPlugins } from '../src/plugins/load.js'

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
  const located = { files: {}, missing: [], catalogueEntry: { description: 'd', contextLength: 256 } }
  beforeEach(() => told.splice(0))

  it('at a start', async () => {
    await (await createKernel(config, { fileSource: { resolve: () => Promise.resolve(located) } })).stop()
    expect(told).to.deep.equal([256])
  })

  it('at a check', async () => {
    const loaded = await loadPlugins(parseConfig(config, '/'))
    const kernel = new PluginKernel(loaded.config, loaded.plugins, {})
    const locator = { locate: () => Promise.resolve(located) }
    await planModels(loaded.config, { plugins: loaded.plugins, locator, kernel })
    expect(told).to.deep.equal([256])
  })
})

describe('what a catalogue says that a model is used for', () => {
  const composed = (spec: ModelSpec, kernel: Kernel) =>
    void otherModel(kernel, { ...spec, options: { of: 'm' } }, 'of', chat)
  @injectable()
  class Composed extends Idle {
    constructor(
      @inject(modelSpec) private readonly spec: ModelSpec,
      @inject(kernelToken) private readonly kernel: Kernel,
      @inject(options) private readonly pluginOptions: { readonly last: boolean },
    ) {
      super()
    }
    override async load() {
      while (this.pluginOptions.last && this.kernel.modelState('m') === 'loading') await nextTurn()
      composed(this.spec, this.kernel)
      return super.load()
    }
  }
  @injectable()
  class Provider implements ModelBackend {
    constructor(
      @inject(modelSpec) private readonly spec: ModelSpec<{ readonly provides: readonly string[] }>,
      @inject(kernelToken) private readonly kernel: Kernel,
      @inject(options) private readonly pluginOptions: { readonly last: boolean },
    ) {}
    async load() {
      while (!this.pluginOptions.last && this.kernel.modelState('composed') === 'loading') await nextTurn()
      const all = [
        provide(chat, { stream: never as never }),
        provide(completion, { stream: never as never }),
        provide(tokens, { tokenize: never, detokenize: never }),
      ]
      return { provides: all.filter(({ capability: { name } }) => this.spec.options.provides.includes(name)) }
    }
  }
  const list = { type: 'array', items: { type: 'string' } }
  const backends: Record<string, BackendDefinition> = {
    several: {
      description: 'd',
      capabilities: [chat, completion, tokens],
      always: (given) => [chat, completion, tokens].filter(({ name }) => (given as Several).always.includes(name)),
      class: Provider,
      options: { type: 'object', properties: { provides: list, always: { ...list, default: [] } } },
    },
    composed: { description: 'd', capabilities: [tokens], class: Composed, files: 'none', check: composed },
  }
  interface Several {
    readonly provides: readonly string[]
    readonly always: readonly string[]
  }
  const configOf = (several: Partial<Several>, last = false) => ({
    plugins: [
      {
        use: definePlugin({
          name: 'p',
          options: { type: 'object', properties: { last: { type: 'boolean' } } },
          backends,
        }),
        options: { last },
      },
    ],
    models: { composed: { backend: 'composed' }, m: { backend: 'several', options: several } },
  })
  const locatedAs = (capabilities: readonly string[]) =>
    Promise.resolve({ files: {}, missing: [], catalogueEntry: { description: 'd', capabilities } })
  const problem = 'model composed: its option of names "m", which is no other model with chat (there are: none)'

  for (const [what, capabilities, several, atCheck, atStart = atCheck] of [
    ['something else', ['tokens'], { provides: ['tokens'] }, problem],
    ['something else, of a model that provides it nevertheless', ['tokens'], { provides: ['chat', 'tokens'] }, problem],
    ['that', ['tokens', 'chat'], { provides: ['tokens', 'chat'] }, undefined],
    [
      'that, of a model that turns out not to provide it',
      ['tokens', 'chat'],
      { provides: ['tokens'] },
      undefined,
      problem,
    ],
    [
      'something else, where all models of the backend provide it',
      ['tokens'],
      { provides: ['chat', 'tokens'], always: ['chat'] },
      undefined,
    ],
    [
      'something else, where all provide a third capability',
      ['tokens'],
      { provides: ['completion', 'tokens'], always: ['completion'] },
      problem,
    ],
    ['nothing that its backend does', ['rerank'], { provides: ['chat'] }, undefined],
  ] as const satisfies readonly (readonly [
    string,
    readonly string[],
    Partial<Several>,
    string | undefined,
    string?,
  ])[]) {
    const told = (said: string | undefined) => (said === undefined ? 'takes' : 'refuses')
    for (const last of [false, true])
      it(`${told(atStart)} it as a part of another one at a start, be that loaded ${last ? 'last' : 'first'}: ${what}`, async () => {
        const files = { resolve: () => locatedAs(capabilities) }
        const error = await createKernel(configOf(several, last), { fileSource: files }).then(
          (kernel) => kernel.stop(),
          (failed: unknown) => (failed as Error).message,
        )
        expect(error).to.equal(atStart)
      })

    it(`${told(atCheck)} it as a part of another one at a check: ${what}`, async () => {
      const { config: complete, plugins } = await loadPlugins(parseConfig(configOf(several), '/'))
      const kernel = new PluginKernel(complete, plugins, {})
      const locator = { locate: () => locatedAs(capabilities) }
      const [plan] = await planModels(complete, { plugins, locator, kernel })
      expect(plan?.problem).to.equal(atCheck)
    })
  }

  it('hides nothing of what a model provides once all are loaded', async () => {
    const files = { resolve: () => locatedAs(['tokens', 'chat']) }
    const kernel = await createKernel(configOf({ provides: ['chat', 'completion'] }), { fileSource: files })
    expect(kernel.models().find(({ id }) => id === 'm')?.capabilities).to.have.members(['chat', 'completion'])
    await kernel.stop()
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
        asked.push(
          Object.fromEntries(Object.entries(options).filter(([name]) => name !== 'signal' && name !== 'onProgress')),
        )
        return Promise.resolve({ files: {} })
      }
      await (await createKernel(config, { fileSource: { resolve } })).stop()
      expect(asked).to.deep.equal([expected])
    })

    it(`at a check: ${what}`, async () => {
      const asked: object[] = []
      const locate = (_: string, options: object) => {
        asked.push(options)
        return Promise.resolve({ files: {}, missing: [] })
      }
      const loaded = await loadPlugins(parseConfig(config, '/'))
      const kernel = new PluginKernel(loaded.config, loaded.plugins, {})
      await planModels(loaded.config, { plugins: loaded.plugins, locator: { locate }, kernel })
      expect(asked).to.deep.equal([expected])
    })
  }
})
