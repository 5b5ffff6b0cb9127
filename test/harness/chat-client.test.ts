import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { ChatClient } from '../bench/client/chat-client.js'

const ask = { prompt: { system: 's', user: 'u' }, maxTokens: 2 }
const event = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const delta = (content: string) => event({ choices: [{ delta: { content } }] })

describe('client of the benchmark', () => {
  let server: Server | undefined

  const serve = async (listener: RequestListener): Promise<ChatClient> => {
    server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new ChatClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'm')
  }

  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  it('asks greedily for a stream with usage, and times it', async () => {
    let body: unknown
    let sawFirst = () => {}
    const firstSeen = new Promise<void>((resolve) => (sawFirst = resolve))
    const client = await serve((request, response) => {
      void text(request).then(async (sent) => {
        body = JSON.parse(sent)
        await sleep(20)
        response.write(delta('a'))
        await firstSeen
        await sleep(20)
        const usage = event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } })
        response.end(delta('b') + usage + 'data: [DONE]\n\n')
      })
    })
    const { start, firstText, lastText, tokens } = await client.ask(ask, { onText: () => sawFirst() })
    expect(body).to.deep.include({ model: 'm', temperature: 0, max_tokens: 2, stream: true })
    expect(body).to.have.deep.property('stream_options', { include_usage: true })
    // timers may fire a millisecond early
    expect(firstText - start).to.be.above(18)
    expect(lastText - firstText).to.be.above(18)
    expect(tokens).to.deep.equal({ prompt: 9, cached: 0, completion: 2 })
  })

  it('closes the connection when it is aborted', async () => {
    let closed: Promise<unknown> | undefined
    const client = await serve((_request, response) => {
      closed = once(response, 'close')
      response.write(delta('a'))
    })
    const connection = new AbortController()
    const answer = client.ask(ask, { signal: connection.signal, onText: () => connection.abort() })
    const error: unknown = await answer.catch((reason: unknown) => reason)
    expect(error).to.be.an('error')
    await closed
  })

  it('says what a refusal said', async () => {
    const client = await serve((_request, response) => response.writeHead(503).end('loading'))
    const error: unknown = await client.ask(ask).catch((reason: unknown) => reason)
    expect(error).to.be.an('error').with.property('message').that.includes('503 loading')
  })
})
