import type { RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { failure } from '@sallyport/core'
import { OutboundFetch } from '../src/index.js'
import { reasonOf, request, startSite } from './support/site.js'
import type { Site } from './support/site.js'

describe('what is fetched', () => {
  const sites: Site[] = []
  afterEach(() => Promise.all(sites.splice(0).map((site) => site.stop())))

  const siteOf = async (listener: RequestListener): Promise<Site> => {
    const site = await startSite(listener)
    sites.push(site)
    return site
  }

  /** May ask these sites, and no others of this machine. */
  const allowing = (...allowed: Site[]) =>
    new OutboundFetch({ hosts: allowed.map(({ host }) => host), privateAddresses: true })

  const redirecting = (to: string, status = 302): RequestListener => {
    return (_, response) => response.writeHead(status, { location: to }).end()
  }

  it('is asked for without anything of the server, and kept as it is', async () => {
    const site = await siteOf((_, response) => response.setHeader('set-cookie', 'a=b').end(Buffer.from([0, 255, 10])))
    const fetching = allowing(site)
    for (let time = 0; time < 2; time++)
      expect([...(await fetching.get(`${site.url}/a.png`, request()))]).to.deep.equal([0, 255, 10])
    for (const { method, url, headers } of site.requests) {
      expect([method, url, headers]).to.deep.equal([
        'GET',
        '/a.png',
        {
          host: site.host,
          connection: 'keep-alive',
          accept: 'image/png',
          'accept-encoding': 'identity',
          'user-agent': 'sallyport',
        },
      ])
    }
  })

  for (const status of [301, 302, 303, 307, 308])
    it(`is fetched from where ${status} points to`, async () => {
      const target = await siteOf((_, response) => response.end('moved'))
      const site = await siteOf(redirecting(`${target.url}/b`, status))
      expect((await allowing(site, target).get(site.url, request())).toString()).to.equal('moved')
      expect(Object.keys(target.requests[0]!.headers)).to.have.members([
        ...['host', 'connection', 'accept', 'accept-encoding', 'user-agent'],
      ])
    })

  it('is redirected three times at most', async () => {
    const site = await siteOf((asked, response) => {
      const left = Number(asked.url!.slice(1))
      if (left) response.writeHead(302, { location: `/${left - 1}` })
      response.end('end')
    })
    expect((await allowing(site).get(`${site.url}/3`, request())).toString()).to.equal('end')
    expect(await reasonOf(allowing(site).get(`${site.url}/4`, request()))).to.equal('redirect')
  })

  for (const [what, to] of Object.entries({
    'a host that is not allowed': 'http://127.0.0.1:9/',
    'another scheme': 'file:///etc/passwd',
    'a user name': 'http://user@127.0.0.1/',
    'what is no address': 'http://[',
  }))
    it(`is not redirected to ${what}`, async () => {
      const site = await siteOf(redirecting(to))
      expect(await reasonOf(allowing(site).get(site.url, request()))).to.equal('redirect')
    })

  it('is not redirected to an address that is refused', async () => {
    const site = await siteOf(redirecting('http://[::ffff:127.0.0.1]/'))
    const fetching = new OutboundFetch({ hosts: [site.host, '*'], privateAddresses: true })
    expect(await reasonOf(fetching.get(site.url, request()))).to.equal('unreachable')
  })

  it('is looked up again for a redirect to another name', async () => {
    const target = await siteOf((_, response) => response.end('inside'))
    const port = target.host.split(':')[1]!
    const site = await siteOf(redirecting(`http://second.example:${port}/`))
    const first = `first.example:${site.host.split(':')[1]!}`
    const names: string[] = []
    const resolve = (name: string) => {
      names.push(name)
      return Promise.resolve(name === 'first.example' ? ['127.0.0.1'] : ['169.254.169.254'])
    }
    const rules = { hosts: [first, `second.example:${port}`], privateAddresses: true }
    expect(await reasonOf(new OutboundFetch(rules, resolve).get(`http://${first}/`, request()))).to.equal('unreachable')
    expect(names).to.deep.equal(['first.example', 'second.example'])
    expect(target.requests).to.deep.equal([])
  })

  for (const [what, redirect] of [
    ['without a place', (response: ServerResponse) => response.writeHead(302)],
    ['to two places', (response: ServerResponse) => response.writeHead(302, ['location', '/a', 'location', '/b'])],
  ] as const)
    it(`is not redirected ${what}`, async () => {
      const site = await siteOf((_, response) => redirect(response).end())
      expect(await reasonOf(allowing(site).get(site.url, request()))).to.equal('redirect')
    })

  for (const status of [204, 206, 401, 404, 407, 500, 503])
    it(`is nothing where the answer is ${status}`, async () => {
      const site = await siteOf((_, response) => response.writeHead(status).end())
      expect(await reasonOf(allowing(site).get(site.url, request()))).to.equal('status')
      expect(site.requests).to.have.length(1)
    })

  it('may have as many bytes as are allowed', async () => {
    for (const announced of [true, false]) {
      const site = await siteOf((_, response) => {
        if (announced) response.setHeader('content-length', 1024)
        for (let part = 0; part < 16; part++) response.write(Buffer.alloc(64, part))
        response.end()
      })
      expect(await allowing(site).get(site.url, request())).to.have.length(1024)
    }
  })

  it('is not read when it announces more bytes than are allowed', async () => {
    const site = await siteOf((_, response) =>
      response.writeHead(200, { 'content-length': 10 * 2 ** 30 }).flushHeaders(),
    )
    expect(await reasonOf(allowing(site).get(site.url, request()))).to.equal('too_large')
    await site.hungUp
  })

  it('is read no further than allowed when it has no announced length', async () => {
    let sent = 0
    const site = await siteOf((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16 * 1024))) sent += 16 * 1024
      }
      response.on('drain', more)
      more()
    })
    expect(await reasonOf(allowing(site).get(site.url, request({ bytes: 100_000 })))).to.equal('too_large')
    await site.hungUp
    expect(sent).to.be.lessThan(64 * 2 ** 20)
  })

  it('is held to its bytes as a whole where it calls itself a stream of events', async () => {
    const site = await siteOf((_, response) => {
      response.setHeader('content-type', 'text/event-stream')
      for (let event = 0; event < 100; event++) response.write('data: x\n\n')
      response.end()
    })
    expect(await reasonOf(allowing(site).get(site.url, request({ bytes: 500 })))).to.equal('too_large')
    await site.hungUp
  })

  it('has one time for everything', async () => {
    const site = await siteOf((_, response) => {
      const head = setTimeout(() => response.write('x'), 300)
      response.on('close', () => clearTimeout(head))
    })
    expect(await reasonOf(allowing(site).get(site.url, request({ seconds: 1 })))).to.equal('slow')
    await site.hungUp
  })

  it('is waited for where it has more time than a timer may', async () => {
    const site = await siteOf((_, response) => setTimeout(() => response.end('late'), 20))
    expect(await reasonOf(allowing(site).get(site.url, request({ seconds: 1e9 })))).to.equal('fetched')
  })

  it('takes no more memory than it has bytes when it comes in small pieces', async () => {
    const pieces = 200_000
    const site = await siteOf((_, response) => {
      const socket = response.socket!
      socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(pieces)}0\r\n\r\n`)
    })
    let held = 0
    const hold = (bytes: number) => (held += bytes)
    const body = await allowing(site).get(site.url, request({ bytes: 2 ** 20, hold }))
    expect(body.equals(Buffer.alloc(pieces, 'x'))).to.equal(true)
    expect(held).to.be.within(pieces, 2 * pieces)
  })

  it('ends with what the room for it says', async () => {
    const site = await siteOf((_, response) => response.end('x'))
    const hold = () => {
      throw failure('overloaded', {})
    }
    const refused = await allowing(site)
      .get(site.url, request({ hold }))
      .catch((error: unknown) => error)
    expect(refused).to.have.property('code', 'overloaded')
  })

  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip'])
    it(`is not taken compressed: ${encoding}`, async () => {
      const bomb = gzipSync(Buffer.alloc(1 << 20))
      const site = await siteOf((_, response) => response.setHeader('content-encoding', encoding).end(bomb))
      expect(await reasonOf(allowing(site).get(site.url, request({ bytes: 2 ** 24 })))).to.equal('encoding')
    })

  it('is given up when it drips', async () => {
    const site = await siteOf((_, response) => {
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const begun = performance.now()
    expect(await reasonOf(allowing(site).get(site.url, request({ seconds: 1 })))).to.equal('slow')
    expect(performance.now() - begun).to.be.within(950, 10_000)
    await site.hungUp
  })

  it('is given up when nothing answers', async () => {
    const site = await siteOf(() => undefined)
    expect(await reasonOf(allowing(site).get(site.url, request({ seconds: 0.2 })))).to.equal('unreachable')
    await site.hungUp
  })

  for (const [when, answer] of [
    ['before it is answered', () => undefined],
    ['while it arrives', (response: ServerResponse) => void response.write('x')],
  ] as const)
    it(`is given up when its caller leaves ${when}`, async () => {
      const caller = new AbortController()
      const reason = new Error('left')
      const site = await siteOf((_, response) => {
        answer(response)
        setTimeout(() => caller.abort(reason), 50)
      })
      const left = await allowing(site)
        .get(site.url, request({ signal: caller.signal }))
        .catch((error: unknown) => error)
      expect(left).to.equal(reason)
      await site.hungUp
    })

  it('is nothing when it breaks off', async () => {
    const site = await siteOf((_, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('x')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await reasonOf(allowing(site).get(site.url, request()))).to.equal('broken')
  })

  it('is nothing where nobody listens, another protocol is spoken, or the head is endless', async () => {
    const greetings = ['SSH-2.0-OpenSSH_9.6\r\n', `HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(10_000)}\r\n`, '']
    for (const greeting of greetings) {
      const server = createServer((socket) =>
        socket
          .on('error', () => undefined)
          .resume()
          .end(greeting),
      )
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
      const fetching = new OutboundFetch({ hosts: [host], privateAddresses: true })
      expect(await reasonOf(fetching.get(`http://${host}/`, request()))).to.equal('unreachable')
      await new Promise((resolve) => server.close(resolve))
      expect(await reasonOf(fetching.get(`http://${host}/`, request()))).to.equal('unreachable')
    }
  })
})
