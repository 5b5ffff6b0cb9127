import type { RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { ByteLimit } from '../src/byte-limit.js'
import { OutboundFetch } from '../src/index.js'
import type { OutboundExchange } from '../src/index.js'
import { reasonOf, startSite } from './support/site.js'
import type { Site } from './support/site.js'

const exchange = (given: Partial<OutboundExchange> = {}): OutboundExchange => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  credentials: { authorization: 'Bearer secret', 'x-session': 'secret' },
  body: '{}',
  signal: new AbortController().signal,
  headSeconds: 5,
  bytes: 1024,
  ...given,
})

const asked: Partial<OutboundExchange> = { method: 'GET' }

describe('an exchange', () => {
  const sites: Site[] = []
  afterEach(() => Promise.all(sites.splice(0).map((site) => site.stop())))

  const siteOf = async (listener: RequestListener): Promise<Site> => {
    const site = await startSite(listener)
    sites.push(site)
    return site
  }

  const allowing = (...allowed: Site[]) =>
    new OutboundFetch({ hosts: allowed.map(({ host }) => host), privateAddresses: true })

  /** What the body fails with. */
  const readingOf = async (site: Site, given: Partial<OutboundExchange> = {}) =>
    reasonOf(
      allowing(site)
        .exchange(site.url, exchange(given))
        .then(({ body }) => text(body)),
    )

  for (const method of ['GET', 'POST', 'DELETE'] as const)
    it(`sends ${method} with headers and credentials, and gives an answer of any status`, async () => {
      const site = await siteOf((_, response) => response.writeHead(418, { 'x-kind': ['a', 'b'] }).end('short'))
      const { body: sent, ...rest } = exchange({ method })
      const { status, headers, body } = await allowing(site).exchange(
        site.url,
        method === 'POST' ? { ...rest, body: sent! } : rest,
      )
      expect([status, headers['x-kind'], await text(body)]).to.deep.equal([418, 'a, b', 'short'])
      const [request] = site.requests
      expect(request).to.include({ method })
      expect(request!.headers).to.include({ authorization: 'Bearer secret', 'accept-encoding': 'identity' })
      await site.hungUp
    })

  it('gives what has come while more is to come', async () => {
    let more: () => void = () => undefined
    const site = await siteOf((_, response) => {
      response.write('first')
      more = () => response.end('second')
    })
    const { body } = await allowing(site).exchange(site.url, exchange())
    const read: string[] = []
    for await (const chunk of body) {
      read.push(Buffer.from(chunk).toString())
      more()
    }
    expect(read).to.deep.equal(['first', 'second'])
  })

  for (const [status, to, method, kept] of [
    [307, 'elsewhere', 'POST', false],
    [308, 'elsewhere', 'POST', false],
    [307, 'here', 'POST', true],
    [302, 'elsewhere', 'GET', false],
    [302, 'here', 'GET', true],
  ] as const)
    it(`follows ${status} of ${method} to ${to}, ${kept ? 'with' : 'without'} credentials`, async () => {
      const target = await siteOf((_, response) => response.end('moved'))
      const site = await siteOf(({ url }, response) => {
        if (url === '/moved') response.end('moved')
        else response.writeHead(status, { location: to === 'here' ? '/moved' : `${target.url}/moved` }).end()
      })
      const { body } = await allowing(site, target).exchange(site.url, exchange({ method }))
      expect(await text(body)).to.equal('moved')
      const last = (to === 'here' ? site : target).requests.at(-1)!
      expect(last.method).to.equal(method)
      expect('authorization' in last.headers).to.equal(kept)
      expect('x-session' in last.headers).to.equal(kept)
      expect(last.headers).to.include({ 'content-type': 'application/json' })
    })

  it('takes credentials no further when it comes back to where it began', async () => {
    const target = await siteOf((_, response) => response.writeHead(307, { location: `${site.url}/back` }).end())
    const site: Site = await siteOf(({ url }, response) => {
      if (url === '/back') response.end('back')
      else response.writeHead(307, { location: target.url }).end()
    })
    await allowing(site, target).exchange(site.url, exchange())
    for (const { headers } of [target.requests[0]!, site.requests[1]!])
      expect(headers).not.to.have.property('x-session')
  })

  for (const status of [301, 302, 303])
    it(`does not make a GET of a POST for ${status}`, async () => {
      const site = await siteOf((_, response) => response.writeHead(status, { location: '/b' }).end())
      expect(await reasonOf(allowing(site).exchange(site.url, exchange()))).to.equal('redirect')
      expect(site.requests).to.have.length(1)
    })

  it('goes to no host, port or address that is refused, redirected or not', async () => {
    const target = await siteOf((_, response) => response.end('inside'))
    const site = await siteOf((_, response) => response.writeHead(307, { location: target.url }).end())
    expect(await reasonOf(allowing(site).exchange(site.url, exchange()))).to.equal('redirect')
    expect(await reasonOf(allowing(target).exchange(site.url, exchange()))).to.equal('host')
    const publicly = new OutboundFetch({ hosts: [target.host], privateAddresses: false })
    expect(await reasonOf(publicly.exchange(target.url, exchange()))).to.equal('unreachable')
    expect(target.requests).to.deep.equal([])
  })

  it('reads no more bytes than are allowed, announced or not', async () => {
    for (const announced of [true, false]) {
      const site = await siteOf((_, response) => {
        if (announced) response.setHeader('content-length', 1025)
        response.write(Buffer.alloc(1000))
        response.end(Buffer.alloc(25))
      })
      expect(await readingOf(site)).to.equal('too_large')
      await site.hungUp
    }
  })

  it('reads events for ever, but none that is larger than allowed', async () => {
    const site = await siteOf(({ url }, response) => {
      response.setHeader('content-type', 'text/event-stream; charset=utf-8')
      const [count, size] = url!.slice(1).split('x').map(Number)
      for (let event = 0; event < count!; event++) response.write(`data: ${'x'.repeat(size!)}\n\n`)
      response.end()
    })
    const sizeOf = async (path: string) =>
      (await text((await allowing(site).exchange(`${site.url}/${path}`, exchange())).body)).length
    expect(await sizeOf('100x1000')).to.equal(100 * 1008)
    expect(await reasonOf(sizeOf('1x1100'))).to.equal('too_large')
  })

  it('is not read compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(1 << 20))
    const site = await siteOf((_, response) => response.setHeader('content-encoding', 'gzip, Secret').end(bomb))
    expect(await readingOf(site)).to.equal('encoding')
    const refused: unknown = await allowing(site)
      .exchange(site.url, exchange())
      .catch((error: unknown) => error)
    expect(refused).to.have.property('message').that.does.not.contain('Secret')
  })

  it('is given up when nothing answers in time, and when its body drips', async () => {
    const silent = await siteOf(() => undefined)
    expect(await readingOf(silent, { headSeconds: 0.2 })).to.equal('unreachable')
    await silent.hungUp
    const dripping = await siteOf((_, response) => {
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await readingOf(dripping, { bodySeconds: 0.3 })).to.equal('slow')
    await dripping.hungUp
  })

  it('is nothing when it breaks off', async () => {
    const site = await siteOf((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await readingOf(site)).to.equal('broken')
  })

  for (const when of ['before the head', 'while it is read', 'while nobody reads it'] as const)
    it(`ends with its caller ${when}`, async () => {
      const caller = new AbortController()
      const reason = new Error('left')
      const site = await siteOf((_, response) => {
        if (when !== 'before the head') response.write('x')
        if (when !== 'while nobody reads it') setTimeout(() => caller.abort(reason), 50)
      })
      const answer = allowing(site).exchange(site.url, exchange({ ...asked, signal: caller.signal }))
      if (when === 'while nobody reads it') {
        await answer
        caller.abort(reason)
      } else {
        const left: unknown = await answer.then(({ body }) => text(body)).catch((error: unknown) => error)
        expect(left).to.equal(reason)
      }
      await site.hungUp
    })

  it('closes its connection when its body is not wanted', async () => {
    const site = await siteOf((_, response) => response.write('x'))
    const { body } = await allowing(site).exchange(site.url, exchange())
    await body.cancel()
    await site.hungUp
  })
})

describe('the bound of an event stream', () => {
  const event = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom('\n', '\r', '\r\n'))
  const passes = (stream: Uint8Array, bytes: number, cuts: readonly number[]): boolean => {
    const limit = new ByteLimit(bytes, true)
    try {
      let start = 0
      for (const cut of [...cuts.map((at) => at % (stream.length + 1)).sort((a, b) => a - b), stream.length]) {
        limit.count(stream.subarray(start, cut))
        start = Math.max(start, cut)
      }
      return true
    } catch {
      return false
    }
  }

  it('holds each event, wherever the stream is cut', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1 }), fc.array(fc.nat()), (events, cuts) => {
        const stream = Buffer.from(events.map(([size, end]) => `${'x'.repeat(size)}${end}${end}`).join(''))
        const largest = Math.max(...events.map(([size]) => size))
        expect(passes(stream, largest + 2, cuts)).to.equal(true)
        expect(passes(stream, largest - 1, cuts)).to.equal(false)
      }),
    )
  })
})
