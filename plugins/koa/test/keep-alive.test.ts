/** What keeps a quiet stream open. */

import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { serverFor } from './support/server.js'

describe('comment lines', () => {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const slow = {
    id: 'slow',
    services: {
      chat: {
        stream: async function* () {
          yield { delta: 'a' }
          await ended
          yield { finish: 'stop' as const }
        },
      },
    },
  }
  const server = serverFor(() => testKernel([slow]), { timeouts: { comment: 0.1 } })

  const ask = async (path: string) => {
    const response = await server.post(path, { model: 'slow', messages: 'hi', stream: true })
    return response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]()
  }
  const read = async (events: AsyncIterator<string>, until: RegExp) => {
    let text = ''
    while (!until.test(text)) {
      const { value, done } = (await events.next()) as IteratorResult<string, undefined>
      if (done) break
      text += value
    }
    return text
  }

  it('keep streams alive under /v1 only', async () => {
    const specification = await ask('/chat/completions')
    const begun = await read(specification, /\n\n/)
    const v1 = await ask('/v1/chat/completions')
    expect(await read(v1, /(\n\n: keep-alive){2}\n\n/)).to.match(/^data: .*(\n\n: keep-alive){2}\n\n$/s)
    end()
    await read(v1, /\[DONE\]/)
    const whole = begun + (await read(specification, /\[DONE\]/))
    const lines = whole.split('\n\n').filter(Boolean)
    expect(lines).to.have.length.greaterThan(1)
    for (const line of lines) expect(line).to.match(/^data: /)
  })
})
