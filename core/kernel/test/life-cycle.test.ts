import { expect } from 'chai'
import { chat, definePlugin, provide } from '@sallyport/core'
import type { ChatCapability, ChatChunk, ChatRequest, ModelBackend, PluginDefinition, Service } from '@sallyport/core'
import { failureOf } from '@sallyport/stand-ins/errors'
import { createKernel } from '../src/create-kernel.js'
import { says, withBackend } from './support/kernels.js'

const messages: ChatRequest['messages'] = [{ role: 'user', content: 'hi' }]

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A promise, and what resolves it. */
const later = () => {
  let happen: () => void = () => undefined
  const happened = new Promise<void>((resolve) => (happen = resolve))
  return { happened, happen }
}

/** A plugin of one service, which notes what happens to it. */
const withService = (events: string[], methods: Service): PluginDefinition => {
  class Noting implements Service {
    start(signal: AbortSignal) {
      return methods.start?.(signal) ?? Promise.resolve()
    }
    ready() {
      return methods.ready?.()
    }
    async stop() {
      events.push('service stops')
      await methods.stop?.()
    }
  }
  return definePlugin({ name: 'noting', services: [Noting] })
}

/** A backend whose model streams so, and which notes when it stops. */
const providing = (stream: ChatCapability['stream'], events: string[]): ModelBackend => ({
  load: () => Promise.resolve({ provides: [provide(chat, { stream })] }),
  stop: () => Promise.resolve(void events.push('model stops')),
})

describe('a kernel that stops', () => {
  it('waits for methods that ignore the abort, then stops services, then models', async () => {
    const events: string[] = []
    const [begun, ending] = [later(), later()]
    const stream = async function* (): AsyncGenerator<ChatChunk> {
      begun.happen()
      await ending.happened
      events.push('method ends')
      yield { finish: 'stop' }
    }
    const stubborn = withBackend('stubborn', [chat], providing(stream, events))
    const slowly = { stop: () => turn().then(() => void events.push('service has stopped')) }
    const plugins = [stubborn, withService(events, slowly)]
    const kernel = await createKernel({ plugins, models: { m: { backend: 'stubborn' } } })
    const asked = failureOf(kernel.get(chat).generate({ messages }))
    await begun.happened
    const stopping = kernel.stop()
    expect(await asked).to.match(/^not_ready/)
    await turn()
    expect(events).to.deep.equal([])
    ending.happen()
    await stopping
    expect(events).to.deep.equal(['method ends', 'service stops', 'service has stopped', 'model stops'])
  })

  it('stops models where a service fails to stop', async () => {
    const events: string[] = []
    const quiet = withBackend(
      'quiet',
      [chat],
      providing(() => says(), events),
    )
    const plugins = [quiet, withService(events, { stop: () => Promise.reject(new Error('stuck')) })]
    const kernel = await createKernel({ plugins, models: { m: { backend: 'quiet' } } })
    const [result] = await Promise.allSettled([kernel.stop()])
    expect(result).to.have.nested.property('reason.message', 'stuck')
    expect(events).to.deep.equal(['service stops', 'model stops'])
  })
})

describe('a start that is given up', () => {
  it('tells services so', async () => {
    const events: string[] = []
    const controller = new AbortController()
    const start = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        setImmediate(() => controller.abort())
      })
    const plugins = [withService(events, { start })]
    expect(await failureOf(createKernel({ plugins }, { signal: controller.signal }))).to.match(/^not_ready/)
    expect(events).to.deep.equal(['service stops'])
  })

  it('waits for no service that does not listen, and stops it when it has started after all', async () => {
    const events: string[] = []
    const controller = new AbortController()
    const started = later()
    const start = () => {
      setImmediate(() => controller.abort())
      return started.happened
    }
    const plugins = [withService(events, { start })]
    expect(await failureOf(createKernel({ plugins }, { signal: controller.signal }))).to.match(/^not_ready/)
    expect(events).to.deep.equal(['service stops'])
    started.happen()
    await turn()
    expect(events).to.deep.equal(['service stops', 'service stops'])
  })

  const hooks: { name: string; ready: (giveUp: () => void) => void | Promise<void> }[] = [
    { name: 'at once', ready: (giveUp) => giveUp() },
    { name: 'later', ready: (giveUp) => turn().then(giveUp) },
    {
      name: 'in one that never ends',
      ready: (giveUp) => {
        giveUp()
        return new Promise(() => undefined)
      },
    },
  ]
  for (const { name, ready } of hooks)
    it(`fails during the ready hooks, too: ${name}`, async () => {
      const events: string[] = []
      const controller = new AbortController()
      const plugins = [withService(events, { ready: () => ready(() => controller.abort()) })]
      expect(await failureOf(createKernel({ plugins }, { signal: controller.signal }))).to.match(/^not_ready/)
      expect(events).to.deep.equal(['service stops'])
    })
})
