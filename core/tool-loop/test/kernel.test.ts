/** Kernels refuse calls of what was not offered: a loop of theirs still ends in a defined state. */

import { expect } from 'chai'
import { chat, definePlugin, injectable } from '@sallyport/core'
import type { ChatCapability, ChatRequest, Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { answering, calling, collected, endOf, loopOf, piecesOf, scriptedServer } from './scripted.js'

/** Calls a tool that there is, and then one that there is not. */
@injectable()
class Inventive implements ChatCapability {
  async *stream({ messages }: ChatRequest) {
    await Promise.resolve()
    yield* piecesOf(calling(messages.some(({ role }) => role === 'tool') ? 'invented' : 'add'))
  }
}

const plugin = definePlugin({ name: 'inventive', models: { inventive: { capability: chat, class: Inventive } } })

describe('a tool loop of a kernel', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin] })
  })
  after(() => kernel.stop())

  for (const [what, limits, limit, made] of [
    ['a tool that was not offered', {}, 'invalid_output', 1],
    ['a tool when no more calls may be made', { calls: 1 }, 'calls', 1],
    ['a tool when none may be called at all', { calls: 0 }, 'calls', 0],
  ] as const)
    it(`ends incomplete, with what was called, where the model calls ${what}`, async () => {
      const { server, calls } = scriptedServer({ add: answering('3') })
      const { end, messages } = endOf(await collected(loopOf(kernel.get(chat), { servers: [server], limits })))
      expect(end).to.deep.equal({ reason: 'incomplete', limit })
      expect(messages.filter(({ role }) => role === 'tool')).to.have.length(made)
      expect(calls).to.have.length(made)
    })

  it('fails where the first answer calls what was not offered', async () => {
    const { server } = scriptedServer({ sub: answering('3') })
    const error: unknown = await collected(loopOf(kernel.get(chat), { servers: [server] })).catch(
      (thrown: unknown) => thrown,
    )
    expect(error).to.have.property('code', 'invalid_output')
  })
})
