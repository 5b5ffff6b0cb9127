import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import {
  chat,
  definePlugin,
  failure,
  inject,
  injectable,
  kernel as kernelToken,
  modelSpec,
  textClassification,
} from '@sallyport/core'
import { otherModel, provide } from '@sallyport/core'
import type { ConfigInput, Kernel, ModelBackend, ModelSpec } from '@sallyport/core'
import { failureOf } from '@sallyport/stand-ins/errors'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { recordingLogger } from '@sallyport/testing'
import { mood, says as inspection } from '../support/detectors.js'
import { says, useKernels } from '../support/kernels.js'

const ask = { messages: [{ role: 'user' as const, content: 'hi' }] }
const answer = { stream: () => says({ delta: 'fine', choice: 0 }, { finish: 'stop', choice: 0 }) }

describe('models that load on demand', () => {
  const start = useKernels()
  const directory = useTemporaryDirectory()
  let loads: string[]
  let wait: Promise<unknown>
  let problem: Error | undefined
  beforeEach(() => {
    loads = []
    wait = Promise.resolve()
    problem = undefined
  })

  @injectable()
  class Speaking implements ModelBackend {
    constructor(@inject(modelSpec) private readonly spec: ModelSpec) {}
    async load() {
      await wait
      if (problem) throw problem
      loads.push(this.spec.id)
      return { provides: [provide(chat, answer)], descriptor: { contextLength: 7, features: { tools: true } } }
    }
  }
  @injectable()
  class Feeling extends Speaking {
    constructor(@inject(modelSpec) spec: ModelSpec) {
      super(spec)
    }
    override async load() {
      await super.load()
      return { provides: [provide(mood, { inspect: () => inspection({ score: 0.9 }) })], descriptor: {} as never }
    }
  }
  @injectable()
  class Relaying extends Speaking {
    private readonly other
    constructor(@inject(modelSpec) spec: ModelSpec<{ readonly other: string }>, @inject(kernelToken) kernel: Kernel) {
      super(spec)
      this.other = otherModel(kernel, spec, 'other', chat)
    }
    override async load() {
      await super.load()
      const relay = { stream: () => this.other().stream(ask) }
      const inspect = async () => inspection({ score: (await this.other().generate(ask)).choices.length })
      return { provides: [provide(chat, relay), provide(mood, { inspect })], descriptor: {} as never }
    }
  }
  const plugin = definePlugin({
    name: 'p',
    backends: {
      speaks: { description: 'd', capabilities: [chat], class: Speaking, files: 'none' },
      feels: { description: 'd', capabilities: [mood], class: Feeling, files: 'none' },
      relays: {
        description: 'd',
        capabilities: [chat, mood],
        class: Relaying,
        files: 'none',
        options: { type: 'object', properties: { other: { type: 'string' } } },
      },
    },
  })
  const config = (models: ConfigInput['models'], more: Partial<ConfigInput> = {}): ConfigInput => ({
    plugins: [plugin],
    load: 'demand',
    log: { level: 'silent' },
    ...(models && { models }),
    ...more,
  })
  const textOf = async (kernel: Kernel, model?: string) =>
    (await kernel.get(chat, model).generate(ask)).choices[0]?.text ?? ''

  it('load when they are first asked for, once', async () => {
    const kernel = await start(config({ a: { backend: 'speaks' }, b: { backend: 'speaks', load: 'start' } }))
    expect(loads).to.deep.equal(['b'])
    expect([kernel.modelState('a'), kernel.modelState('b')]).to.deep.equal(['unloaded', 'ready'])
    expect(await Promise.all([textOf(kernel, 'a'), textOf(kernel, 'a')])).to.deep.equal(['fine', 'fine'])
    expect(loads).to.deep.equal(['b', 'a'])
    expect(kernel.modelState('a')).to.equal('ready')
  })

  it('load at the start where a policy uses them, with what they are composed of', async () => {
    const policies = { default: { input: { mood: true } } }
    await start(
      config(
        {
          other: { backend: 'speaks' },
          unused: { backend: 'speaks' },
          m: { backend: 'relays', options: { other: 'other' } },
        },
        { policies },
      ),
    )
    expect(loads.toSorted()).to.deep.equal(['m', 'other'])
  })

  it('ask others while they load at the start, though a policy holds for these that needs them', async () => {
    @injectable()
    class Asking implements ModelBackend {
      constructor(
        @inject(modelSpec) private readonly spec: ModelSpec<{ readonly other: string }>,
        @inject(kernelToken) private readonly models: Kernel,
      ) {}
      async load() {
        const other = otherModel(this.models, this.spec, 'other', textClassification)
        while (this.models.modelState('other') === 'loading') await sleep(5)
        loads.push(`${(await other().classify({ inputs: [{ text: 'a' }] })).labels.length} text`)
        return { provides: [provide(mood, { inspect: () => inspection() })] }
      }
    }
    @injectable()
    class Counting implements ModelBackend {
      load = () => {
        const classify = ({ inputs }: { inputs: readonly unknown[] }) =>
          Promise.resolve({ labels: inputs.map(() => [{ label: 'a', score: 1 }]) })
        return Promise.resolve({ provides: [provide(textClassification, { classify })] })
      }
    }
    const other = { type: 'object', properties: { other: { type: 'string' } } } as const
    const asking = definePlugin({
      name: 'asking',
      backends: {
        asks: { description: 'd', capabilities: [mood], class: Asking, files: 'none', options: other },
        counts: { description: 'd', capabilities: [textClassification], class: Counting, files: 'none' },
      },
    })
    await start({
      plugins: [asking],
      models: { d: { backend: 'asks', options: { other: 'other' } }, other: { backend: 'counts' } },
      policies: { default: { input: { mood: true } } },
      log: { level: 'silent' },
    })
    expect(loads).to.deep.equal(['1 text'])
  })

  it('load with what they are composed of when they are asked', async () => {
    const kernel = await start(
      config({ m: { backend: 'relays', options: { other: 'other' } }, other: { backend: 'speaks' } }),
    )
    expect(loads).to.deep.equal([])
    expect(await textOf(kernel, 'm')).to.equal('fine')
    expect(loads).to.deep.equal(['m', 'other'])
  })

  it('take no time from the budgets of checks that a caller asks for', async () => {
    const callerPolicy = { input: { mood: { budget: 50 } } }
    const kernel = await start(config({ m: { backend: 'speaks' }, d: { backend: 'feels' } }, { callerPolicy }))
    wait = sleep(200)
    expect((await kernel.inspect('mood', 'hi')).flagged).to.equal(true)
    wait = sleep(200)
    const safeguards = { input: { mood: true } }
    expect(await failureOf(kernel.get(chat, 'm').generate(ask, { safeguards }))).to.match(/^content_blocked/)
  })

  it('go on loading when the deadline of a request has passed, which learns when to ask again', async () => {
    const kernel = await start(config({ m: { backend: 'speaks' } }))
    let load: () => void = () => undefined
    wait = new Promise<void>((resolve) => (load = resolve))
    const late = kernel.get(chat).generate(ask, { deadline: Date.now() + 50 })
    expect(await failureOf(late)).to.match(/^not_ready/)
    load()
    expect(await textOf(kernel)).to.equal('fine')
    expect(loads).to.deep.equal(['m'])
  })

  for (const [what, error] of [
    ['the model is damaged', failure('model_invalid', { model: 'm', problem: 'secret words' })],
    ['the backend throws', new RangeError('secret words')],
  ] as const)
    it(`are unavailable where ${what}, and the log says why`, async () => {
      const { logger, lines } = recordingLogger()
      problem = error
      const kernel = await start({ ...config({ m: { backend: 'speaks' } }), log: { exceptions: 'full' } }, { logger })
      const told = await failureOf(kernel.get(chat).generate(ask))
      expect(told)
        .to.match(/^model_unavailable/)
        .and.not.include('secret')
      expect(JSON.stringify(lines)).to.include('secret words')
    })

  it('are listed with what an earlier load has found', async () => {
    const environment = { home: directory.path }
    const models = { m: { backend: 'speaks' } }
    const first = await start(config(models), environment)
    expect(first.models()[0]?.contextLength).to.equal(undefined)
    await textOf(first)
    await first.stop()
    const second = await start(config(models), environment)
    expect(second.models()[0]).to.deep.include({ contextLength: 7, features: { tools: true }, capabilities: ['chat'] })
    expect(loads).to.deep.equal(['m'])
    const other = await start(config({ m: { backend: 'speaks', keep: 1, description: 'x' } }), environment)
    expect(other.models()[0]).to.include({ contextLength: 7, description: 'x' })
  })

  it('are refused at the start where nothing could ever load them', async () => {
    const wrong = config({ m: { backend: 'speaks', keep: 'never' as never } })
    expect(await failureOf(start(wrong))).to.match(/models\.m\.keep: must be a number from 0 to 100000 or "always"/)
  })

  it('are stopped while they load', async () => {
    const kernel = await start(config({ m: { backend: 'speaks' } }))
    wait = sleep(100)
    const asked = failureOf(kernel.get(chat).generate(ask))
    await sleep(10)
    await kernel.stop()
    expect(await asked).to.match(/^not_ready/)
    expect(kernel.modelState('m')).to.be.oneOf(['unloaded', 'stopped'])
  })
})
