/** Whatever backend a kernel serves, answers are what was asked for. */

import { expect } from 'chai'
import { chat, definePlugin, injectable } from '@sallyport/core'
import type { ChatCapability, ChatRequest, Kernel } from '@sallyport/core'
import { createKernel } from '../../src/create-kernel.js'
import { bySchema, messages } from './support.js'

/** What each request was, and whether its stream was ended. */
const heard: ChatRequest[] = []
let ended = 0

@injectable()
class Talker implements ChatCapability {
  async *stream(request: ChatRequest) {
    heard.push(request)
    try {
      yield await Promise.resolve({ delta: '{"a":' })
      yield { delta: '1}' }
      yield { finish: 'stop' as const }
    } finally {
      ended += 1
    }
  }
}

const plugin = definePlugin({ name: 'talker', models: { talker: { capability: chat, class: Talker } } })

describe('a kernel and what it is asked for', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [plugin] })
  })
  after(() => kernel.stop())
  beforeEach(() => {
    heard.length = 0
    ended = 0
  })

  const failed = (promise: Promise<unknown>) => promise.then(() => undefined, String)
  const wanted = (type: string): ChatRequest => ({ messages, ...bySchema({ properties: { a: { type } } }) })

  it('hands on an answer by the schema, of each of several choices', async () => {
    const { choices } = await kernel.get(chat).generate({ ...wanted('integer'), n: 2 })
    expect(choices.map(({ text }) => text)).to.deep.equal(['{"a":1}', '{"a":1}'])
  })

  it('refuses another one', async () => {
    expect(await failed(kernel.get(chat).generate(wanted('string')))).to.contain(
      'text at $.a: must be of the type string',
    )
    expect(ended).to.equal(1)
  })

  it('asks no model for what cannot be', async () => {
    let passed = false
    const onInputPassed = () => void (passed = true)
    const refused = failed(kernel.get(chat).generate(wanted('strin'), { onInputPassed }))
    expect(await refused).to.contain('responseFormat.schema.properties.a.type')
    expect({ heard, passed }).to.deep.equal({ heard: [], passed: false })
  })

  it('ends the stream of whoever leaves early', async () => {
    for await (const chunk of kernel.get(chat).stream(wanted('integer'))) {
      expect(chunk).to.deep.equal({ delta: '{"a":' })
      break
    }
    await new Promise((resolve) => setImmediate(resolve))
    expect(ended).to.equal(1)
  })
})
