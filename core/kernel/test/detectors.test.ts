/** What detectors ask models, and who has failed. */

import { expect } from 'chai'
import { chat, definePlugin, failure, inject, injectable, kernel as kernelToken } from '@sallyport/core'
import type { Call, CallOptions, InspectionRequest, Kernel, Detector } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import reference from '@sallyport/testing/reference'
import { failureOf } from '@sallyport/stand-ins/errors'
import { createKernel } from '../src/create-kernel.js'
import { capabilityHandlers, capabilityProxy } from '../src/runner/capability-calls.js'
import { connect } from '../src/runner/client.js'
import { inProcessTransport } from '../src/runner/in-process-transport.js'
import { serveTransport } from '../src/runner/server.js'
import { classOf, says as streamOf, useKernels } from './support/kernels.js'
import { detector, failing, mood, plugins, says, silent } from './support/detectors.js'

describe('what a detector asks of models', () => {
  const start = useKernels()
  const answering = {
    stream: () => streamOf({ delta: 'fine', choice: 0 }, { finish: 'stop', choice: 0 }),
  }
  /** A model as the call protocol hands it to a detector in another process. */
  const remote = () => {
    const [client, server] = inProcessTransport()
    serveTransport(server, capabilityHandlers(chat, answering))
    const onClosed = () => failure('client_closed', {})
    return capabilityProxy(chat, connect(client, { maxSilence: 30_000, onLog: () => undefined, onClosed }))
  }

  /** A detector asks a model of its kernel, which the same detector guards. */
  const kernelOf = async (service: object, passOn: (call: Call) => CallOptions) => {
    const asked = { count: 0 }
    @injectable()
    class Asking implements Detector {
      constructor(@inject(kernelToken) private readonly kernel: Kernel) {}
      async inspect({ text }: InspectionRequest, call: Call) {
        asked.count += 1
        await this.kernel.get(chat).generate({ messages: [{ role: 'user', content: text }] }, passOn(call))
        return says()
      }
    }
    const plugin = definePlugin({
      name: 'asking',
      models: {
        chat: { capability: chat, class: classOf(service) as never },
        asking: { capability: mood, class: Asking },
      },
    })
    const kernel = await start({ plugins: [plugin], policies: { default: { input: { mood: true } } } })
    return { kernel, asked }
  }

  const ways: [string, (call: Call) => CallOptions][] = [
    ['its call', (call) => call],
    ['a copy of its call', (call) => ({ ...call, signal: AbortSignal.any([call.signal]) })],
  ]
  const messages = [{ role: 'user', content: 'hi' }] as const
  for (const [where, service] of [
    ['in the process', () => answering],
    ['over the call protocol', remote],
  ] as const)
    for (const [how, passOn] of ways)
      it(`is not looked at itself: ${how}, ${where}`, async () => {
        const { kernel, asked } = await kernelOf(service(), passOn)
        const { choices } = await kernel.get(chat).generate({ messages: [...messages] })
        expect(choices[0]?.text).to.equal('fine')
        await kernel.inspect('mood', 'hi')
        await kernel.get(mood).inspect({ text: 'hi' })
        expect(asked.count).to.equal(3)
      })

  it('is what nobody else can claim to ask', async () => {
    const { kernel, asked } = await kernelOf(answering, (call) => call)
    const claimed = { inspecting: true } as CallOptions
    expect(await failureOf(kernel.get(chat).generate({ messages: [...messages] }, claimed))).to.match(
      /^invalid_request: unknown option "inspecting" of the call/,
    )
    expect(asked.count).to.equal(0)
  })
})

describe('a detector that fails in a policy', () => {
  for (const [how, first, entry, plugin] of [
    ['alone', failing, {}, 'first'],
    ['beside another', () => says(), { detectors: ['first', 'second'] }, 'second'],
    ['by never answering', silent, { budget: 20 }, 'first'],
  ] as const)
    it(`is named in the log: ${how}`, async () => {
      const { logger, lines } = recordingLogger()
      const models = { first: detector(mood, first), second: detector(mood, failing) }
      const policies = { default: { input: { mood: entry } } }
      const kernel = await createKernel({ plugins: [reference, ...plugins(models)], policies }, { logger })
      const asked = kernel.get(chat).generate({ messages: [{ role: 'user', content: 'hi' }] })
      expect(await failureOf(asked)).to.match(/^safeguard_unavailable/)
      await kernel.stop()
      const failed = lines.find(({ message }) => message === 'a detector failed')
      expect(failed?.fields).to.include({ check: 'mood', plugin, detector: plugin })
    })
})
