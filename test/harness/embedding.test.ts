import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect } from 'chai'
import { EmbeddingClient } from '../bench/embedding/client.js'
import { closedLoop, oneByOne } from '../bench/embedding/closed-loop.js'
import { growth, residentAt } from '../bench/embedding/memory-growth.js'
import { queries, textsOfLength } from '../bench/embedding/texts.js'

/** A token per word that is short, two for others, and two special ones. */
const encode = (text: string): Promise<number[]> =>
  Promise.resolve([
    1,
    ...text.split(' ').flatMap((word) => (word === '' ? [] : word.length < 6 ? [word.length] : [6, 6])),
    2,
  ])

describe('texts to embed', () => {
  it('have just so many tokens', async () => {
    const texts = await textsOfLength(16, 5, encode)
    expect(texts.map(({ ids }) => ids.length)).to.deep.equal([16, 16, 16, 16, 16])
    for (const { text, ids } of texts) expect(await encode(text)).to.deep.equal(ids)
    expect(new Set(texts.map(({ text }) => text)).size).to.equal(5)
  })

  it('are not made of words that the vocabulary lacks', async () => {
    const letters = (text: string) => Promise.resolve(Array.from({ length: text.length }, () => 7))
    const error: unknown = await textsOfLength(16, 1, letters).catch((reason: unknown) => reason)
    expect(String(error)).to.include('no text of 16 tokens')
  })

  it('are short and differ, and are the same for the same seed', () => {
    const texts = queries(50, 1)
    expect(new Set(texts.map((text) => text.split(' ').length)).size).to.be.above(4)
    expect(queries(50, 1)).to.deep.equal(texts)
    expect(queries(50, 2)).not.to.deep.equal(texts)
  })
})

describe('loads', () => {
  it('keep every client busy until the time is over', async () => {
    const counts = [0, 0]
    const client = (index: number) => () => {
      counts[index] = (counts[index] ?? 0) + 1
      return new Promise((resolve) => setTimeout(resolve, 5))
    }
    const rate = await closedLoop([client(0), client(1)], 0.1)
    for (const count of counts) expect(count).to.be.within(2, 21)
    expect(rate).to.be.within(40, 420)
  })

  it('count what was asked when the time was over, and fail with a client', async () => {
    expect(await closedLoop([() => Promise.resolve()], 0)).to.be.above(0)
    const error: unknown = await closedLoop([() => Promise.reject(new Error('busy'))], 1).catch((e: unknown) => e)
    expect(error).to.be.an('error').with.property('message', 'busy')
  })

  it('call one by one', async () => {
    let running = 0
    const times = await oneByOne(3, async () => {
      running += 1
      expect(running).to.equal(1)
      await new Promise((resolve) => setTimeout(resolve, 5))
      running -= 1
    })
    expect(times).to.have.length(3)
    for (const time of times) expect(time).to.be.within(3, 1000)
  })
})

describe('growth of memory', () => {
  const sampled = (at: (texts: number) => { server: number; child: number }) =>
    Array.from({ length: 100 }, (_, index) => ({ texts: index + 1, ...at(index + 1) }))

  it('is that of both processes', () => {
    const samples = sampled((texts) => (texts <= 10 ? { server: 100, child: 300 } : { server: 120, child: 320 }))
    const [early, late] = [residentAt(samples, 10), residentAt(samples, 100)]
    expect([early, late]).to.deep.equal([
      { server: 100, child: 300 },
      { server: 120, child: 320 },
    ])
    expect(growth(early, late)).to.be.closeTo(10, 1e-9)
  })

  it('does not depend on one sample, nor on what was long before', () => {
    const samples = sampled((texts) => ({ server: texts === 100 || texts < 6 ? 900 : 100, child: 0 }))
    expect(growth(residentAt(samples, 10), residentAt(samples, 100))).to.equal(0)
  })
})

describe('client for vectors', () => {
  let server: Server | undefined

  const serve = async (listener: RequestListener): Promise<EmbeddingClient> => {
    server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new EmbeddingClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  }

  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
  })

  it('sends texts and tells how many tokens they had, however long the answer is', async () => {
    const bodies: unknown[] = []
    const client = await serve((request, response) => {
      void json(request).then((body) => {
        bodies.push([request.url, body])
        response.write('x'.repeat(200_000))
        response.end('],"usage":{"prompt_tokens":17,"total_tokens":17}}')
      })
    })
    expect(await client.embed(['a', 'b'])).to.equal(17)
    client.close()
    expect(bodies).to.deep.equal([['/embeddings', { model: 'model', input: ['a', 'b'] }]])
  })

  it('takes no other answer for vectors', async () => {
    const client = await serve((_request, response) => response.writeHead(429).end('busy'))
    const error: unknown = await client.embed(['a']).catch((reason: unknown) => reason)
    expect(error).to.be.an('error').with.property('message').that.includes('429, …busy')
  })
})
