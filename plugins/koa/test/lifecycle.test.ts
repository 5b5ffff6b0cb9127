import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { HttpServer, KeyStore, createApp, handler } from '../src/index.js'
import { completeOptions } from '../src/options.js'
import { startingKernel, testKernel } from './support/kernel.js'
import type { TestModel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { freePort, openRaw, withServer } from './support/server.js'

/** Speaks a word each 20 ms. */
const steady: TestModel = {
  id: 'steady',
  services: {
    chat: {
      stream: async function* (_, { signal }) {
        for (let word = 0; word < 10; word += 1) {
          signal.throwIfAborted()
          yield { delta: `w${word} ` }
          await new Promise((resolve) => setTimeout(resolve, 20))
        }
        yield { finish: 'stop' }
      },
    },
  },
}

const request = (path: string, key: string, body = '') =>
  `${body ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: localhost\r\nx-api-key: ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`

describe('life of the server', () => {
  it('answers while models load, and says that they do', async () => {
    const { kernel, finish } = await startingKernel()
    await withServer(kernel, {}, async ({ get, post }) => {
      expect((await get('/healthz')).status).to.equal(200)
      for (const path of ['/readyz', '/readiness']) {
        const answer = await get(path)
        expect(answer.status).to.equal(503)
        expect(answer.headers.get('retry-after')).to.equal('1')
        expect(await answer.json()).to.deep.equal({ error: 'models are still loading: try again soon' })
      }
      const asked = await post('/v1/chat/completions', { model: 'loading', messages: 'hi' })
      expect(asked.status).to.equal(503)
      expect(asked.headers.get('retry-after')).to.equal('1')
      expect(await asked.json()).to.have.nested.property('error.code', 'not_ready')
      await finish()
      expect((await get('/readyz')).status).to.equal(200)
      expect((await get('/readiness')).status).to.equal(204)
    })
  })

  it('lets streams finish while it drains, refuses what is new, and closes', async () => {
    const kernel = await testKernel([steady])
    await withServer(kernel, {}, async ({ url, key, http, post }) => {
      const idle = await openRaw(url)
      idle.write(request('/healthz', key))
      await idle.until('alive')
      const running = post('/chat/completions', { model: 'steady', messages: 'hi', stream: true })
      const answer = await running
      const drained = Promise.all([kernel, http].map((each) => each.drain(AbortSignal.timeout(5000))))
      const asked = await post('/chat/completions', { model: 'steady', messages: 'hi' })
      expect(asked.status).to.equal(503)
      expect(asked.headers.get('connection')).to.equal('close')
      expect(asked.headers.get('retry-after')).to.match(/^\d+$/)
      expect(await asked.json()).to.deep.equal({ error: 'the server is shutting down: try another one' })
      const ready = await fetch(`${url}/readyz`)
      expect(ready.status).to.equal(503)
      expect(ready.headers.get('connection')).to.equal('close')
      expect((await fetch(`${url}/healthz`)).status).to.equal(200)
      expect(await answer.text()).to.match(/w9 .*\[DONE\]\n\n$/s)
      await drained
      await idle.until()
      const later = await fetch(`${url}/healthz`).catch((error: unknown) => error)
      expect(later).to.be.instanceOf(TypeError)
    })
  })

  it('refuses requests on a connection that stays open while it drains', async () => {
    const kernel = await testKernel([steady])
    await withServer(kernel, {}, async ({ url, key }) => {
      const connection = await openRaw(url)
      connection.write(request('/healthz', key))
      await connection.until('alive')
      void kernel.drain()
      connection.write(request('/models', key))
      const received = await connection.until()
      expect(received)
        .to.contain('HTTP/1.1 503 ')
        .and.to.match(/connection: close/i)
    })
  })

  it('cuts what still runs when its time is over', async () => {
    const kernel = await testKernel([steady])
    await withServer(kernel, {}, async ({ http, post }) => {
      const answer = await post('/chat/completions', { model: 'steady', messages: 'hi', stream: true })
      const started = performance.now()
      await Promise.all([kernel, http].map((each) => each.drain(AbortSignal.timeout(50))))
      expect(performance.now() - started).to.be.below(1000)
      expect(await answer.text().catch(() => 'cut')).not.to.contain('[DONE]')
    })
  })

  it('tells the person at the terminal how to use it', async () => {
    await withServer(await testKernel([speaker]), {}, async ({ http, url, announced }) => {
      http.ready()
      expect(announced).to.deep.equal([
        `Sallyport listens on ${url}`,
        `Ready. Put your key into SALLYPORT_API_KEY and try:\ncurl ${url}/v1/chat/completions -H "Authorization: Bearer $SALLYPORT_API_KEY" ` +
          `-H 'Content-Type: application/json' -d ` +
          `'{"model":"speaker","messages":[{"role":"user","content":"Write one sentence about the sea."}],"max_tokens":64,"temperature":0}'\n` +
          'Key: one of those made before, or a new one: npx sallyport keys create --name <name>',
      ])
      await Promise.resolve()
    })
  })

  it('shows a request that some model answers, where none answers conversations', async () => {
    await withServer(await testKernel([toolbox]), {}, async ({ http, url, announced }) => {
      http.ready()
      expect(announced[1]).to.contain(`\ncurl ${url}/v1/embeddings `)
      expect(announced[1]).to.contain('{"model":"toolbox","input":"A cat sat on the mat."}')
      await Promise.resolve()
    })
  })

  it('says which port is taken', async () => {
    await withServer(await testKernel([speaker]), {}, async ({ url }) => {
      const port = Number(new URL(url).port)
      const refused = await withServer(await testKernel([speaker]), { port }, () => Promise.resolve()).catch(
        (error: unknown) => error,
      )
      expect(refused).to.have.property(
        'message',
        `server: port ${port} on 127.0.0.1 is in use: choose another one with --port`,
      )
    })
  })
})

describe('the first key', () => {
  let home: string
  let supplied: string | undefined
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'sallyport-first-'))
    supplied = process.env['SALLYPORT_API_KEY']
    delete process.env['SALLYPORT_API_KEY']
  })
  afterEach(() => {
    rmSync(home, { recursive: true })
    if (supplied === undefined) delete process.env['SALLYPORT_API_KEY']
    else process.env['SALLYPORT_API_KEY'] = supplied
  })

  const serverOn = async (port: number, announced: string[]) =>
    new HttpServer(
      completeOptions({ port }),
      await testKernel([speaker]),
      silentLogger,
      home,
      (lines) => announced.push(lines),
      home,
    )

  it('is made once the port is had, so that it is announced whenever it is made', async () => {
    const announced: string[] = []
    await withServer(await testKernel([speaker]), {}, async ({ url }) => {
      const refused = await (
        await serverOn(Number(new URL(url).port), announced)
      )
        .start()
        .catch((error: unknown) => error)
      expect(refused).to.have.property('code', 'config_invalid')
    })
    expect(new KeyStore(home).list()).to.deep.equal([])
    const http = await serverOn(0, announced)
    await http.start()
    await http.stop()
    expect(announced.join('\n')).to.match(/^Sallyport listens on \S+\nKeep the key.*\nKey: sp-\S+$/)
  })

  it('is in no line to try when it is the one supplied and has been revoked', async () => {
    const announced: string[] = []
    process.env['SALLYPORT_API_KEY'] = 'my-own-key-of-old'
    const start = async () => {
      const http = await serverOn(0, announced)
      await http.start()
      http.ready()
      await http.stop()
    }
    await start()
    expect(announced.splice(0).join('\n')).to.contain('Ready. Try:\ncurl ')
    new KeyStore(home).revoke('environment')
    await start()
    expect(announced).to.have.length(2)
    expect(announced[1]).to.match(/^Ready\.\nKey: .*is revoked or expired/)
  })

  it('is said to work no more where the environment supplies another one', async () => {
    new KeyStore(home).create({ name: 'environment', supplied: 'my-own-key-of-old' })
    process.env['SALLYPORT_API_KEY'] = 'another-key-of-mine'
    const { lines, logger } = recordingLogger()
    const http = new HttpServer(
      completeOptions({ port: 0 }),
      await testKernel([speaker]),
      logger,
      home,
      () => undefined,
      home,
    )
    await http.start()
    await http.stop()
    const warnings = lines.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ fields }) => fields)).to.deep.equal([{ name: 'environment' }])
  })

  it('does not keep the port when it cannot be made', async () => {
    process.env['SALLYPORT_API_KEY'] = 'short'
    const port = await freePort()
    const refused = await (await serverOn(port, [])).start().catch((error: unknown) => error)
    expect(refused).to.have.property('code', 'config_invalid')
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch((error: unknown) => error)
    expect(answer).to.be.instanceOf(TypeError)
  })
})

describe('embedding', () => {
  it('serves a kernel from a plain server', async () => {
    const server = createServer(handler(await testKernel([speaker]), { auth: false }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'speaker', messages: 'hi' }),
    })
    expect(answer.status).to.equal(200)
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
  })

  it('asks for keys unless it is told not to', async () => {
    const kernel = await testKernel([speaker])
    expect(() => createApp(kernel)).to.throw('pass { home } or { keys }, or { auth: false }')
  })

  it('takes what knows keys from the program', async () => {
    const keys = { authenticate: (key: string) => (key === 'k' ? { tenant: 't' } : undefined) }
    const server = createServer(handler(await testKernel([speaker]), { keys }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/models`
    expect((await fetch(url, { headers: { 'x-api-key': 'k' } })).status).to.equal(200)
    expect((await fetch(url)).status).to.equal(403)
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
  })

  it('refuses options that it does not know', async () => {
    const kernel = await testKernel([])
    expect(() => createApp(kernel, { auth: false, prot: 1 } as object))
      .to.throw('options of @sallyport/koa: prot: unknown key')
      .with.property('code', 'config_invalid')
  })
})
