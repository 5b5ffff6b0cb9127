import { expect } from 'chai'
import {
  chat,
  completion,
  createKernel,
  definePlugin,
  embedding,
  inject,
  injectable,
  isSallyportError,
  kernel as kernelToken,
  provide,
  textClassification,
} from '../../src/index.js'
import type { Call, ChatCapability, ChatRequest, ConfigInput, Kernel, ModelBackend, Service } from '../../src/index.js'
import reference from '../../src/reference/index.js'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'one two three' }]

const failureOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    if (isSallyportError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error('expected a failure')
}

/** Never says anything, and notes whether it was told to stop. */
const silent = () => {
  const seen: { signal?: AbortSignal } = {}
  @injectable()
  class Silent implements ChatCapability {
    async *stream(_request: ChatRequest, { signal }: Call): AsyncGenerator<never> {
      seen.signal = signal
      await new Promise(() => undefined)
    }
  }
  return { seen, plugin: definePlugin({ name: 'silent', models: { silent: { capability: chat, class: Silent } } }) }
}

describe('a kernel', () => {
  let kernel: Kernel | undefined
  const start = async (config: ConfigInput) => (kernel = await createKernel(config))
  afterEach(async () => {
    await kernel?.stop()
    kernel = undefined
  })

  it('serves a stream, and the same text unstreamed', async () => {
    const service = (await start({ plugins: [reference] })).get(chat)
    let streamed = ''
    for await (const chunk of service.stream({ messages })) if ('delta' in chunk) streamed += chunk.delta
    const { choices, usage } = await service.generate({ messages })
    expect(choices.map(({ text }) => text)).to.deep.equal([streamed])
    expect(usage?.promptTokens).to.be.above(0)
  })

  it('runs n choices side by side and counts the prompt once', async () => {
    const service = (await start({ plugins: [reference] })).get(chat)
    const one = await service.generate({ messages })
    const three = await service.generate({ messages, n: 3 })
    expect(three.choices.length).to.equal(3)
    expect(three.usage?.promptTokens).to.equal(one.usage?.promptTokens)
    expect(three.usage?.completionTokens).to.equal(3 * (one.usage?.completionTokens ?? 0))
  })

  it('puts the prompt before each choice of a completion that asks for its echo', async () => {
    const service = (await start({ plugins: [reference] })).get(completion)
    const plain = await service.generate({ prompt: 'one two', maxTokens: 3, n: 2 })
    const echoed = await service.generate({ prompt: 'one two', maxTokens: 3, n: 2, echo: true })
    expect(echoed.choices.map(({ text }) => text)).to.deep.equal(plain.choices.map(({ text }) => `one two${text}`))
  })

  it('ends a call at its deadline although the backend ignores it', async () => {
    const { plugin, seen } = silent()
    const service = (await start({ plugins: [plugin] })).get(chat)
    const problem = await failureOf(service.generate({ messages }, { deadline: Date.now() + 30 }))
    expect(problem).to.match(/^deadline_exceeded/)
    expect(seen.signal?.aborted).to.equal(true)
  })

  it('ends running calls when it stops', async () => {
    const { plugin } = silent()
    const running = await start({ plugins: [plugin] })
    const call = failureOf(running.get(chat).generate({ messages }))
    await new Promise((resolve) => setTimeout(resolve, 10))
    await running.stop()
    expect(await call).to.match(/^not_ready/)
  })

  it('refuses calls once it drains, and says so', async () => {
    const running = await start({ plugins: [reference] })
    await running.drain()
    expect(running.state).to.equal('draining')
    expect(await failureOf(running.get(chat).generate({ messages }))).to.match(
      /^not_ready: the server is shutting down/,
    )
  })

  const lookups: { name: string; ask: (kernel: Kernel) => unknown; problem: RegExp }[] = [
    {
      name: 'an unknown model',
      ask: (k) => k.get(chat, 'gpt-9'),
      problem: /^model_not_found: model not found: gpt-9; available: /,
    },
    { name: 'a path', ask: (k) => k.get(chat, '../../etc/passwd'), problem: /^model_not_found/ },
    { name: 'an inherited property', ask: (k) => k.get(chat, '__proto__'), problem: /^model_not_found/ },
  ]
  for (const { name, ask, problem } of lookups)
    it(`finds no model by ${name}`, async () => {
      const running = await start({ plugins: [reference] })
      expect(await failureOf(Promise.resolve().then(() => ask(running)))).to.match(problem)
    })

  it('says which capability is missing', async () => {
    const running = await start({ plugins: [] })
    expect(await failureOf(Promise.resolve().then(() => running.get(embedding)))).to.match(
      /^capability_missing.*"embedding"/,
    )
  })

  it('blocks what a caller wants checked when no plugin checks it', async () => {
    const { plugin } = silent()
    const running = await start({ plugins: [plugin] })
    const asked = running.get(chat).generate({ messages }, { safeguards: { injection: true } })
    expect(await failureOf(asked)).to.equal('safeguard_unavailable: safeguard unavailable: injection')
  })

  it('guards by the policy of the configuration, on every capability that carries text', async () => {
    const running = await start({
      plugins: [reference],
      policies: { default: { input: { pii: { action: 'block' } } } },
    })
    const secret = 'write to jane@example.org'
    const blocked = 'content_blocked: pii detected'
    expect(await failureOf(running.get(chat).generate({ messages: [{ role: 'user', content: secret }] }))).to.equal(
      blocked,
    )
    expect(await failureOf(running.get(completion).generate({ prompt: secret }))).to.equal(blocked)
    expect(await failureOf(running.get(embedding).embed({ inputs: [{ text: secret }] }))).to.equal(blocked)
    const labels = await running.get(textClassification).classify({ inputs: [{ text: secret }] })
    expect(labels.labels.length).to.equal(1)
  })

  it('reports each verdict to the caller', async () => {
    const running = await start({ plugins: [reference] })
    const heard: string[] = []
    await running.get(chat).generate(
      { messages },
      {
        safeguards: { pii: 'replace', toxicity: true },
        onVerdict: ({ check, verdict }) => heard.push(`${check}=${verdict}`),
      },
    )
    expect(heard).to.deep.equal(['pii=pass', 'toxicity=pass'])
  })

  it('keeps the options of several kernels apart', async () => {
    const other = await createKernel({ plugins: [{ use: reference, options: { delay: 5 } }] })
    const running = await start({ plugins: [reference] })
    const texts = await Promise.all(
      [running, other].map(async (each) => (await each.get(chat).generate({ messages })).choices[0]?.text),
    )
    expect(texts[0]).to.equal(texts[1])
    await other.stop()
  })
})

@injectable()
class Loaded implements ModelBackend {
  load() {
    const service: ChatCapability = {
      async *stream() {
        yield await Promise.resolve({ finish: 'stop' as const })
      },
    }
    return Promise.resolve({ provides: [provide(chat, service)], descriptor: { contextLength: 7 } })
  }
}

@injectable()
class Unloadable implements ModelBackend {
  load(): Promise<never> {
    return Promise.reject(new Error('internal detail'))
  }
}

const backends = (estimate?: number) =>
  definePlugin({
    name: 'backends',
    backends: {
      loaded: {
        description: 'loads',
        capabilities: [chat, completion],
        class: Loaded,
        files: 'none',
        ...(estimate ? { estimate: () => Promise.resolve({ weights: estimate, cache: 0, compute: 0 }) } : {}),
      },
      unloadable: { description: 'does not load', capabilities: [chat], class: Unloadable, files: 'none' },
    },
  })

describe('configured models', () => {
  it('have the capabilities that they turned out to have, and what the configuration says of them', async () => {
    const kernel = await createKernel({
      plugins: [backends()],
      models: { m: { backend: 'loaded', aliases: ['alias'], description: 'mine' } },
    })
    const [model] = kernel.models()
    expect(model).to.deep.include({
      id: 'm',
      aliases: ['alias'],
      capabilities: ['chat'],
      contextLength: 7,
      description: 'mine',
    })
    expect(() => kernel.get(chat, 'alias')).not.to.throw()
    expect(kernel.modelState('m')).to.equal('ready')
    await kernel.stop()
  })

  it('reach other models through the kernel, as others do', async () => {
    @injectable()
    class Relay implements ModelBackend {
      constructor(@inject(kernelToken) private readonly models: Kernel) {}
      load() {
        const other = () => this.models.get(chat, 'reference-chat')
        return Promise.resolve({
          provides: [provide(chat, { stream: (request, call) => other().stream(request, call) })],
        })
      }
    }
    const relay = definePlugin({
      name: 'relay',
      backends: { relay: { description: 'passes on', capabilities: [chat], class: Relay, files: 'none' } },
    })
    const kernel = await createKernel({ plugins: [reference, relay], models: { m: { backend: 'relay' } } })
    const { choices } = await kernel.get(chat, 'm').generate({ messages })
    expect(choices[0]?.text).to.equal('one two three')
    await kernel.stop()
  })

  it('are refused when they do not fit into memory', async () => {
    const config = { plugins: [backends(2 ** 50)], models: { big: { backend: 'loaded' } } }
    expect(await failureOf(createKernel(config))).to.match(
      /^insufficient_memory: the models need 1125.9 TB \(big 1125.9 TB\)/,
    )
  })
})

describe('a start that fails', () => {
  it('stops what had been started, and tells why', async () => {
    const events: string[] = []
    class Watcher implements Service {
      start() {
        events.push('start')
        return Promise.resolve()
      }
      stop() {
        events.push('stop')
        return Promise.resolve()
      }
    }
    const plugins = [backends(), definePlugin({ name: 'watcher', services: [Watcher] })]
    let problem: unknown
    try {
      await createKernel({ plugins, models: { m: { backend: 'unloadable' } } })
    } catch (error) {
      problem = error
    }
    expect((problem as Error).message).to.match(/^the model m is unavailable: it could not be loaded/)
    expect(events).to.deep.equal(['start', 'stop'])
  })

  it('is given up by its signal', async () => {
    const controller = new AbortController()
    const files = {
      resolve: (_: string, { signal }: { signal: AbortSignal }) =>
        new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
          controller.abort()
        }),
    }
    const hanging = definePlugin({
      name: 'hanging',
      backends: { hanging: { description: 'never loads', capabilities: [chat], class: Loaded } },
    })
    const starting = createKernel(
      { plugins: [hanging], models: { m: { backend: 'hanging' } } },
      { files, signal: controller.signal },
    )
    expect(await failureOf(starting)).to.match(/^not_ready/)
  })
})

describe('boot checks', () => {
  const named = (name: string) => definePlugin({ name })
  class Idle implements Service {
    stop() {
      return Promise.resolve()
    }
  }
  const cases: { name: string; config: ConfigInput; problem: RegExp }[] = [
    {
      name: 'a plugin twice',
      config: { plugins: [named('a'), named('a')] },
      problem: /^plugin_invalid: plugin a: is loaded twice/,
    },
    {
      name: 'a section twice',
      config: {
        plugins: [
          definePlugin({ name: 'a', section: 'server', services: [Idle] }),
          definePlugin({ name: 'b', section: 'server' }),
        ],
      },
      problem: /^plugin_invalid: plugin b: reads a section/,
    },
    {
      name: 'an unknown backend, with the nearest name',
      config: { plugins: [backends()], models: { m: { backend: 'loadde' } } },
      problem: /no loaded plugin has a backend "loadde": did you mean "loaded"/,
    },
    {
      name: 'an unknown policy',
      config: { plugins: [backends()], models: { m: { backend: 'loaded', policy: 'strict' } } },
      problem: /there is no policy "strict"/,
    },
    {
      name: 'an alias that is the name of a model',
      config: { plugins: [backends()], models: { m: { backend: 'loaded' }, k: { backend: 'loaded', aliases: ['m'] } } },
      problem: /"m" is the name of a model/,
    },
    {
      name: 'an unmet need, naming the plugin and the capability',
      config: { plugins: [definePlugin({ name: 'needy', requires: [embedding] })] },
      problem: /^plugin_invalid: plugin needy: needs the capability "embedding"/,
    },
  ]
  for (const { name, config, problem } of cases)
    it(`refuse ${name}`, async () => {
      expect(await failureOf(createKernel(config))).to.match(problem)
    })
})
