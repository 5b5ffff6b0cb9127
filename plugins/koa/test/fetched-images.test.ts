/** Images that a request names by URL. */

import type { RequestListener } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { notAnImage } from '@sallyport/kit/image-format'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import type { ServerOptionsInput } from '../src/options.js'
import { testKernel } from './support/kernel.js'
import { speaker } from './support/models.js'
import { asking, gif, imagesOf, png, seeing, withSite } from './support/image-site.js'
import type { Site } from './support/image-site.js'
import { freePort, withServer } from './support/server.js'
import type { TestServer } from './support/server.js'

/** This site and no other. */
const allowing = ({ url }: Site, more: ServerOptionsInput['fetch'] = {}): ServerOptionsInput => ({
  fetch: { images: true, hosts: [new URL(url).host], privateAddresses: true, ...more },
})

const refusal = async (server: TestServer, body: unknown, path = '/chat/completions') => {
  const answer = await server.post(path, body)
  const { error } = (await answer.json()) as { error: string }
  return { status: answer.status, error }
}

describe('images by URL', () => {
  it('are fetched once each, and known by their bytes', async () => {
    const { seen, models } = seeing()
    await withSite(async (site) => {
      await withServer(await testKernel(models), allowing(site), async (server) => {
        const data = `data:image/gif;base64,${gif.toString('base64')}`
        const [first, second] = [`${site.url}/a.png`, `${site.url}/b.gif`]
        const body = asking({ url: first, detail: 'low' }, second, data, first)
        expect((await server.post('/v1/chat/completions', body)).status).to.equal(200)
        const [a, b] = [
          { mediaType: 'image/png', bytes: png.toString('latin1') },
          { mediaType: 'image/gif', bytes: gif.toString('latin1') },
        ]
        expect(imagesOf(seen.requests[0]!)).to.deep.equal([a, b, b, a])
        expect((seen.requests[0]!.messages[0]!.content as object[])[1]).to.have.property('detail', 'low')
        expect(site.paths.sort()).to.deep.equal(['/a.png', '/b.gif'])
        expect(site.headers()).to.have.members(['host', 'connection', 'accept', 'accept-encoding', 'user-agent'])
      })
    })
  })

  it('are fetched for embeddings', async () => {
    const { embedded, models } = seeing()
    await withSite(async (site) => {
      await withServer(await testKernel(models), allowing(site), async (server) => {
        const body = { model: 'viewer', input: ['text', { image: `${site.url}/a.png`, text: 'a' }] }
        for (const path of ['/embeddings', '/v1/embeddings'])
          expect((await server.post(path, body)).status).to.equal(200)
        expect(Buffer.from(embedded[1]!.image!).equals(png)).to.equal(true)
      })
    })
  })

  it('are fetched side by side, four at a time', async () => {
    const { models } = seeing()
    await withSite(async (site) => {
      await withServer(await testKernel(models), allowing(site), async (server) => {
        const addresses = Array.from({ length: 16 }, (_, index) => `${site.url}/${index}.png`)
        expect((await server.post('/chat/completions', asking(...addresses))).status).to.equal(200)
        expect(site.paths).to.have.length(16)
        expect(site.most()).to.equal(4)
      })
    })
  })

  it('are not fetched for a request that is refused anyway', async () => {
    const { models } = seeing()
    await withSite(async (site) => {
      const options = { ...allowing(site), limits: { images: 2 } }
      await withServer(await testKernel(models), options, async (server) => {
        const address = `${site.url}/a.png`
        const many = Array.from({ length: 3 }, (_, index) => `${address}?${index}`)
        const input = many.map((image) => ({ image }))
        const bodies: [body: unknown, error: string, path?: string][] = [
          [{ ...asking(address), model: 'speaker' }, 'messages: the model speaker reads no images'],
          [asking(address, 'data:,'), 'messages[0].content[2].image_url: must be a data: URI'],
          [{ ...asking(address), top_logprobs: 1 }, 'top_logprobs: needs'],
          [asking(...many), 'messages: must hold at most 2 images, not 3'],
          [{ model: 'viewer', input }, 'input: must hold at most 2 images, not 3', '/embeddings'],
        ]
        for (const [body, error, path] of bodies) {
          const refused = await refusal(server, body, path)
          expect(refused.status).to.equal(400)
          expect(refused.error).to.match(new RegExp(`^${error.replace(/[[\].]/g, '\\$&')}`))
        }
        expect(site.paths).to.deep.equal([])
      })
    })
  })

  it('are refused in the same words whether an address is private, unknown, closed or silent', async () => {
    const { models } = seeing()
    await withSite(
      async (site) => {
        const closed = `127.0.0.1:${await freePort()}`
        const hosts = ['*', new URL(site.url).host, closed]
        await withServer(await testKernel(models), allowing(site, { hosts, seconds: 0.3 }), async (server) => {
          for (const address of [
            'http://169.254.169.254/latest/meta-data/',
            'http://[::ffff:127.0.0.1]/',
            'http://does-not-exist.invalid/',
            `http://${closed}/`,
            `${site.url}/silent`,
          ])
            expect(await refusal(server, asking(address)), address).to.deep.equal({
              status: 400,
              error: 'messages[0].content[1].image_url: the image could not be fetched (its URL cannot be reached)',
            })
        })
      },
      { '/silent': () => undefined },
    )
  })

  for (const [what, answer, problem] of [
    ['it is not there', (_, response) => response.writeHead(404).end('no'), 'does not answer with the status 200'],
    ['it is too large', (_, response) => response.end(Buffer.alloc(5000)), 'has more than the 4096 bytes'],
    ['it is compressed', (_, response) => response.setHeader('content-encoding', 'br').end('x'), 'sends it compressed'],
    ['it drips', (_, response) => void response.write('x'), 'takes longer than the 2 seconds'],
    ['it moves out', (_, response) => response.writeHead(302, { location: 'http://10.0.0.1:22/' }).end(), 'redirects'],
    [
      'it breaks off',
      (_, response) => response.socket!.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx'),
      'broke off',
    ],
  ] as readonly (readonly [string, RequestListener, string])[])
    it(`are refused when ${what}`, async () => {
      const { models } = seeing()
      await withSite(
        async (site) => {
          await withServer(await testKernel(models), allowing(site, { bytes: 4096, seconds: 2 }), async (server) => {
            const { status, error } = await refusal(server, asking({ url: `${site.url}/x` }, `${site.url}/a.png`))
            expect(status).to.equal(400)
            expect(error).to.contain('messages[0].content[1].image_url.url: the image could not be fetched (')
            expect(error).to.contain(problem)
          })
        },
        { '/x': answer },
      )
    })

  it('are refused when they are something else', async () => {
    const { models } = seeing()
    await withSite(
      async (site) => {
        await withServer(await testKernel(models), allowing(site), async (server) => {
          expect(await refusal(server, asking(`${site.url}/x`))).to.deep.equal({
            status: 400,
            error: `messages[0].content[1].image_url: ${notAnImage}`,
          })
        })
      },
      { '/x': (_, response) => response.setHeader('content-type', 'image/png').end('<svg/>') },
    )
  })

  it('are refused with a reason that the log has, for whoever asks for all of it', async () => {
    const { models } = seeing()
    const { lines, logger } = recordingLogger()
    await withServer(
      await testKernel(models),
      { fetch: { images: true } },
      async (server) => {
        await server.post('/chat/completions', asking('http://localhost/?secret'), { 'x-request-id': 'r1' })
      },
      logger,
    )
    const refused = lines.find(({ message }) => message === 'why the request was refused')!
    expect(refused.level).to.equal('debug')
    expect(refused.fields['requestId']).to.equal('r1')
    expect(refused.fields['err'])
      .to.have.property('message')
      .that.equals('unreachable: localhost is at 127.0.0.1, which is refused')
    expect(JSON.stringify(lines)).not.to.contain('secret')
  })

  it('are refused where their host is not allowed', async () => {
    const { models } = seeing()
    await withSite(async (site) => {
      await withServer(await testKernel(models), allowing(site, { hosts: ['images.example'] }), async (server) => {
        expect(await refusal(server, asking(`${site.url}/a.png`))).to.deep.equal({
          status: 400,
          error:
            'messages[0].content[1].image_url: the image could not be fetched (its host or port is not allowed by server.fetch.hosts)',
        })
        expect(site.paths).to.deep.equal([])
      })
    })
  })

  it('take room beside the bodies of requests, until they are answered', async () => {
    const { models } = seeing()
    const large = Buffer.concat([png, Buffer.alloc(100_000)])
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await withSite(
      async (site) => {
        const options = { ...allowing(site), limits: { body: 4096, bodies: 150_000 } }
        await withServer(await testKernel(models), options, async (server) => {
          const ask = async (path: string) =>
            (await server.post('/chat/completions', asking(`${site.url}${path}`))).status
          // refused itself where the other comes first
          const askUntilTaken = async (): Promise<number> => {
            const status = await ask('/held')
            return status === 429 ? askUntilTaken() : status
          }
          const held = askUntilTaken()
          do await setTimeout(20)
          while ((await ask('/large')) !== 429)
          release()
          expect(await held).to.equal(200)
          expect(await ask('/large')).to.equal(200)
        })
      },
      {
        '/large': (_, response) => response.end(large),
        '/held': (_, response) => {
          response.write(large)
          void released.then(() => response.end())
        },
      },
    )
  })

  it('are given up when the client leaves', async () => {
    const { models } = seeing()
    let left: () => void = () => undefined
    const hungUp = new Promise<void>((resolve) => (left = resolve))
    const client = new AbortController()
    await withSite(
      async (site) => {
        await withServer(await testKernel(models), allowing(site), async (server) => {
          const sent = fetch(`${server.url}/chat/completions`, {
            method: 'POST',
            headers: { 'x-api-key': server.key, 'content-type': 'application/json' },
            body: JSON.stringify(asking(`${site.url}/x`)),
            signal: client.signal,
          })
          expect(await sent.catch((error: unknown) => error)).to.have.property('name', 'AbortError')
          await hungUp
        })
      },
      {
        '/x': (_, response) => {
          response.on('close', left)
          client.abort()
        },
      },
    )
  })
})

describe('the option fetch', () => {
  it('is off', async () => {
    const { models } = seeing()
    await withSite(async (site) => {
      await withServer(await testKernel(models), {}, async (server) => {
        expect(await refusal(server, asking(`${site.url}/a.png`))).to.deep.equal({
          status: 400,
          error:
            'messages[0].content[1].image_url: image URLs are not fetched: send the image as a data: URI, or set server.fetch.images',
        })
        expect(site.paths).to.deep.equal([])
      })
    })
  })

  it('names hosts', async () => {
    const kernel = await testKernel([speaker])
    for (const host of ['https://a.example', 'a.*', 'u@a.example', ''])
      await withServer(kernel, { fetch: { hosts: [host] } }, () => Promise.resolve()).then(
        () => expect.fail(host),
        (error: unknown) => expect(String(error)).to.match(/fetch\.hosts\[0\].*must be a host such as example\.com/),
      )
  })
})
