import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createKernel } from '@sallyport/kernel'
import { loadConfig } from '@sallyport/config'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { speaker, toolbox } from './support/models.js'
import { serverFor, startServer, withServer } from './support/server.js'

const refusal = 'authentication failed: send a valid key as "Authorization: Bearer <key>" or "x-api-key: <key>"'

describe('authentication', () => {
  const server = serverFor(() => testKernel([speaker, toolbox]), { limits: { wrongKeys: 0 } })

  const status = async (headers: Record<string, string>, path = '/models') =>
    (await fetch(server.url + path, { headers })).status

  const accepted: readonly [string, (key: string) => Record<string, string>][] = [
    ['a bearer token', (key) => ({ authorization: `Bearer ${key}` })],
    ['a bearer token in lower case', (key) => ({ authorization: `bearer ${key}` })],
    ['x-api-key', (key) => ({ 'x-api-key': key })],
    ['both, when they agree', (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': key })],
  ]
  for (const [what, headers] of accepted)
    it(`takes ${what}`, async () => {
      expect(await status(headers(server.key))).to.equal(200)
      expect(await status(headers(server.key), '/v1/models')).to.equal(200)
    })

  const refused: readonly [string, (key: string) => Record<string, string>][] = [
    ['nothing', () => ({})],
    ['an unknown key', () => ({ authorization: 'Bearer sp-unknown' })],
    ['an empty token', () => ({ authorization: 'Bearer ' })],
    ['another scheme', (key) => ({ authorization: `Basic ${key}` })],
    ['the bare key as authorization', (key) => ({ authorization: key })],
    ['another scheme beside a good key', (key) => ({ authorization: 'Basic eDp5', 'x-api-key': key })],
    ['two that differ', (key) => ({ authorization: `Bearer ${key}`, 'x-api-key': 'other' })],
    ['the key and something after it', (key) => ({ authorization: `Bearer ${key} x` })],
    ['a key of 10 KB', () => ({ 'x-api-key': 'k'.repeat(10_000) })],
    ['half a key', (key) => ({ 'x-api-key': key.slice(0, -1) })],
    ['SQL', () => ({ 'x-api-key': "' OR 1=1 --" })],
  ]
  for (const [what, headers] of refused)
    it(`refuses ${what} with the same answer in each dialect`, async () => {
      for (const path of ['/models', '/completions', '/nowhere', '/responses']) {
        const answer = await fetch(server.url + path, { headers: headers(server.key) })
        expect(answer.status).to.equal(403)
        expect(await answer.json()).to.deep.equal({ error: refusal })
      }
      const v1 = await fetch(`${server.url}/v1/models`, { headers: headers(server.key) })
      expect(v1.status).to.equal(401)
      expect(v1.headers.get('www-authenticate')).to.equal('Bearer')
      expect(await v1.json()).to.deep.equal({
        error: { message: refusal, type: 'authentication_error', code: 'invalid_api_key', param: null },
      })
    })

  it('asks for a key before it reads a body', async () => {
    const body = 'x'.repeat(20 * 1024 * 1024)
    const answer = await fetch(`${server.url}/chat/completions`, { method: 'POST', body })
    expect(answer.status).to.equal(403)
    expect(answer.headers.get('connection')).to.equal('close')
  })

  for (const [path, expected] of [
    ['/', 200],
    ['/healthz', 200],
    ['/readyz', 200],
    ['/readiness', 204],
    ['/openapi.json', 200],
  ] as const)
    it(`leaves ${path} open`, async () => {
      expect(await status({}, path)).to.equal(expected)
      expect(await status({ authorization: 'Bearer wrong' }, path)).to.equal(expected)
    })

  it('answers a wrong method on an open path without a key', async () => {
    const answer = await fetch(`${server.url}/healthz`, { method: 'POST' })
    expect(answer.status).to.equal(405)
    expect(answer.headers.get('allow')).to.equal('GET, HEAD')
  })

  it('takes a revoked, an expired and an unknown key for the same', async () => {
    const revoked = server.keys.create({ name: 'revoked' })
    const expired = server.keys.create({ name: 'expired', expires: new Date(Date.now() + 30) })
    expect(await status({ 'x-api-key': revoked.key })).to.equal(200)
    server.keys.revoke('revoked')
    await new Promise((resolve) => setTimeout(resolve, 40))
    const answers = await Promise.all(
      [revoked.key, expired.key, 'unknown'].map(async (key) => {
        const answer = await fetch(`${server.url}/models`, { headers: { 'x-api-key': key } })
        return [answer.status, await answer.text()]
      }),
    )
    expect(answers).to.deep.equal(answers.map(() => [403, JSON.stringify({ error: refusal })]))
  })

  describe('with a key for some models', () => {
    let headers: Record<string, string>
    before(() => {
      headers = { 'x-api-key': server.keys.create({ name: 'some', models: ['base', 'other'] }).key }
    })

    const post = (path: string, body: object) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

    it('uses a model that it may use, by id or alias', async () => {
      for (const model of ['speaker', 'base'])
        expect((await post('/chat/completions', { model, messages: 'hi' })).status).to.equal(200)
    })

    it('knows no other model', async () => {
      const answer = await post('/embeddings', { model: 'toolbox', input: 'a' })
      expect(answer.status).to.equal(400)
      expect(await answer.json()).to.deep.equal({ error: 'model not found: toolbox; available: none' })
      expect((await post('/v1/embeddings', { model: 'toolbox', input: 'a' })).status).to.equal(404)
      expect((await fetch(`${server.url}/v1/models/toolbox`, { headers })).status).to.equal(404)
    })

    it('does not get another model where none is named', async () => {
      expect((await post('/toxicity', { text: 'a' })).status).to.equal(400)
    })

    it('sees no other model in listings', async () => {
      const listed = async (path: string) => (await fetch(server.url + path, { headers })).json()
      expect(((await listed('/models')) as { data: { id: string }[] }).data.map(({ id }) => id)).to.deep.equal([
        'speaker',
      ])
      expect(await listed('/embeddings')).to.deep.equal([])
      expect(await listed('/chat/completions')).to.deep.equal(['speaker'])
    })
  })
})

describe('without authentication', () => {
  const server = serverFor(() => testKernel([speaker]), { auth: false })

  const request = async (headers: Record<string, string>, path = '/models') => {
    const { request: send } = await import('node:http')
    const url = new URL(server.url + path)
    return new Promise<number>((resolve, reject) => {
      send(url, { headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
        .once('error', reject)
        .end()
    })
  }

  it('answers this machine', async () => {
    expect(await request({})).to.equal(200)
    expect(await request({ host: 'localhost:1234' })).to.equal(200)
    expect(await request({ host: '[::1]:8080' })).to.equal(200)
    expect(await request({ origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' })).to.equal(200)
  })

  it('refuses names that a web page may resolve to it', async () => {
    expect(await request({ host: 'evil.example' })).to.equal(403)
    expect(await request({ host: 'localhost.evil.example' })).to.equal(403)
    expect(await request({ host: 'evil@localhost' })).to.equal(403)
    expect(await request({ host: 'evil.example' }, '/v1/models')).to.equal(403)
  })

  it('refuses requests of web pages elsewhere', async () => {
    expect(await request({ origin: 'https://evil.example' })).to.equal(403)
    expect(await request({ origin: 'null' })).to.equal(403)
    expect(await request({ 'sec-fetch-site': 'cross-site' })).to.equal(403)
  })

  it('serves other names where it is told to', async () => {
    await withServer(await testKernel([speaker]), { auth: false, allowedHosts: ['*'] }, async ({ url }) => {
      const answer = await fetch(`${url}/models`, { headers: { origin: 'https://elsewhere.example' } })
      expect(answer.status).to.equal(200)
    })
  })

  it('does not listen on an address that others reach', async () => {
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'example.com']) {
      const refused = await startServer(await testKernel([speaker]), { auth: false, host }).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(refused).to.have.property('code', 'config_invalid')
    }
  })

  it('says so where the configuration is checked, with the place in the file', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'sallyport-koa-'))
    const file = join(directory, 'sallyport.yaml')
    const plugin = fileURLToPath(new URL('../src/index.js', import.meta.url))
    writeFileSync(file, `plugins: ['${plugin}']\nserver:\n  host: 0.0.0.0\n  auth: false\n`)
    const refused = await loadConfig(file)
      .then((config) => createKernel(config))
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    rmSync(directory, { recursive: true })
    expect(refused)
      .to.have.property('message')
      .that.contains(`${file}:3:9`)
      .and.contains('server.host: must be a loopback address, such as 127.0.0.1, where auth is false')
  })
})
