import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { chat, definePlugin, failure, inject, injectable, kernel } from '@sallyport/core'
import type { ChatCapability, Kernel, ModelBackend, Service } from '@sallyport/core'
import { injection } from '@sallyport/checks'
import { createKernel } from '@sallyport/kernel'
import { testCall } from '@sallyport/testing'
import { guard, broken, echo, enforce } from '../support.js'

describe('a detector that is loading', () => {
  it('blocks, and says when to ask again', async () => {
    const loading = () => Promise.reject(failure('not_ready', { state: 'loading' }, { retryAfter: 7 }))
    const policy = { input: { injection: enforce } }
    const context = { policy, detectors: { injection: broken(loading) } }
    const asked = guard(chat, echo(), context).stream({ messages: [{ role: 'user', content: 'hello' }] }, testCall())
    const error: unknown = await asked[Symbol.asyncIterator]()
      .next()
      .catch((thrown: unknown) => thrown)
    expect(error).to.include({ code: 'safeguard_unavailable', retryAfter: 7 })
  })

  it('is not said to be missing', async () => {
    const told: unknown[] = []
    let load: () => void = () => undefined
    const asked = new Promise<void>((resolve) => (load = resolve))
    @injectable()
    class Late implements ModelBackend {
      load = async () => {
        await asked
        return Promise.reject(new Error('it need not be loaded'))
      }
    }
    @injectable()
    class Echo implements ChatCapability {
      async *stream() {
        yield await Promise.resolve({ finish: 'stop' } as const)
      }
    }
    @injectable()
    class Asks implements Service {
      constructor(@inject(kernel) private readonly kernel: Kernel) {}
      start = async () => {
        while (this.kernel.modelState('echo') !== 'ready') await turn()
        const messages = [{ role: 'user' as const, content: 'hello' }]
        const error: unknown = await this.kernel
          .get(chat)
          .generate({ messages })
          .catch((thrown: unknown) => thrown)
        told.push((error as { code?: string }).code)
        load()
      }
    }
    const late = { description: 'late', capabilities: [injection], class: Late, files: 'none' as const }
    const plugin = definePlugin({
      name: 'late',
      services: [Asks],
      backends: { late },
      models: { echo: { capability: chat, class: Echo } },
    })
    const policies = { default: { input: { injection: true } } }
    const config = {
      plugins: [plugin],
      models: { detector: { backend: 'late' } },
      policies,
      log: { level: 'silent' },
    } as const
    await createKernel(config).catch(() => undefined)
    expect(told).to.deep.equal(['not_ready'])
  })
})
