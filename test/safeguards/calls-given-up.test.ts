import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { patiently } from '../support/patiently.js'
import type { RunningServer } from '../support/server.js'
import { detectors, eventually, processOf, serverWith } from './support.js'

const messages = 'What is the capital of France?'
const checked = { messages, max_tokens: 8, input: { block_prompt_injection: true } }

const unavailable =
  '{"error":"the model smollm2-135m-instruct is unavailable: its process ended and is being restarted"}'
/** A stream that ended, or that said why it did not. */
const whole = /data: \[DONE\]\s*$|data: \{"error":"[^"]*is being restarted"\}\s*$/

describe('a request whose input is being checked', function () {
  this.timeout(120_000)
  let server: RunningServer
  let guard: number
  before(async function () {
    this.timeout(600_000)
    const { guard: classifier, injection } = detectors
    server = await serverWith({
      plugins: ['@sallyport/onnx', '@sallyport/guards', '@sallyport/llama-cpp'],
      models: { guard: classifier, injection, 'smollm2-135m-instruct': { backend: 'llama-cpp' } },
      sections: {
        server: { limits: { concurrency: 1, queue: 0 } },
        callerPolicy: { input: { injection: { budget: 60_000 } } },
      },
    })
  })
  beforeEach(() => {
    guard = processOf(server, 'guard')
  })
  after(() => server.stop())
  for (const stream of [false, true]) {
    const kind = stream ? 'a stream' : 'an answer'

    it(`frees its place when the client goes: ${kind}`, async () => {
      const gone = new AbortController()
      process.kill(guard, 'SIGSTOP')
      // one of the two finds the place taken: should that be this one, it asks again
      const asking = async (): Promise<string> => {
        try {
          const { status } = await server.post('/chat/completions', { ...checked, model: 'echo', stream }, gone.signal)
          return status === 429 ? await asking() : 'answered'
        } catch {
          return 'given up'
        }
      }
      const refused = asking()
      await eventually(
        () => server.post('/chat/completions', { model: 'echo', messages }),
        (status) => status === 429,
      )
      gone.abort()
      expect(await refused).to.equal('given up')
      // the log of the one that was given up may come behind the answer to the next
      await eventually(
        () => server.post('/chat/completions', { model: 'echo', messages }),
        (status) => status === 200 && server.output().includes('"status":499'),
      )
      expect(processOf(server, 'guard'), 'the detector still stands still').to.equal(guard)
      process.kill(guard, 'SIGCONT')
    })

    it(`tells of a model that ended meanwhile, or answers with the next one: ${kind}`, async () => {
      process.kill(guard, 'SIGSTOP')
      const body = { ...checked, model: 'smollm2-135m-instruct', stream }
      const waiting = server.post('/chat/completions', body)
      await sleep(300)
      const ended = processOf(server, 'smollm2-135m-instruct')
      process.kill(ended, 'SIGKILL')
      await sleep(100)
      process.kill(guard, 'SIGCONT')
      const response = await waiting
      const text = await response.text()
      if (response.status === 200) expect(text).to.match(stream ? whole : /"finish_reason"/)
      else {
        expect([response.status, text]).to.deep.equal([503, unavailable])
        expect(Number(response.headers.get('retry-after'))).to.be.within(1, 60)
      }
      expect((await patiently(server, '/chat/completions', body)).status).to.equal(200)
    })
  }

  it('leaves nothing running when the server is stopped', async () => {
    const ended = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    await ended
    expect(server.child.exitCode).to.equal(0)
  })
})
