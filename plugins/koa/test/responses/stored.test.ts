import { join } from 'node:path'
import { mock } from 'node:test'
import { silentLogger } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import Database from 'libsql'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { storeSecret } from '../../src/app.js'
import { ResponseStore } from '../../src/response-store/response-store.js'
import { callingTool, saying, stepper, town } from '../support/conversations.js'
import { testKernel } from '../support/kernel.js'
import { recorder } from '../support/models.js'
import { startServer, withServer } from '../support/server.js'
import type { TestServer } from '../support/server.js'

const limits = { expireAfter: 60, bytes: 1_000_000, perTenant: 1_000_000 }

describe('stored responses', () => {
  const { path: directory } = useTemporaryDirectory()
  let server: TestServer
  const { model, requests } = recorder()
  const caller = stepper('caller', callingTool('weather', '{"city":"Ulm"}'), saying('Sunny.'))
  const start = async () => {
    const store = { path: join(directory, 'responses.db') }
    return startServer(await testKernel([model, caller.model, town().model]), { responses: { store } })
  }
  before(async () => {
    server = await start()
  })
  after(() => server.stop())

  const ask = async (body: object, path = '/v1/responses') => {
    const answer = await server.post(path, { model: 'recorder', ...body })
    const text = await answer.text()
    expect(answer.status, text).to.equal(200)
    return JSON.parse(text) as { id: string; store: boolean; output: { id: string }[] }
  }
  const said = () => requests.at(-1)!.messages.map(({ role, content }) => [role, JSON.stringify(content)])

  it('are continued, with what was said, and without the instructions of before', async () => {
    const first = await ask({ input: 'one', instructions: 'Be kind.' })
    expect(first.store).to.equal(true)
    const second = await ask({ input: 'two', previous_response_id: first.id, instructions: 'Be short.' })
    const noted = ['assistant', JSON.stringify([{ type: 'text', text: 'noted' }])]
    expect(said()).to.deep.equal([['system', '"Be short."'], ['user', '"one"'], noted, ['user', '"two"']])
    await ask({ input: 'three', previous_response_id: second.id }, '/responses')
    expect(said()).to.deep.equal([['user', '"one"'], noted, ['user', '"two"'], noted, ['user', '"three"']])
  })

  it('are used for as many bytes as a request may bring', async () => {
    const first = await ask({ input: [{ role: 'user', id: 'msg_long', content: 'x'.repeat(200_000) }] })
    const repeated = Array.from({ length: 100 }, () => ({ type: 'item_reference', id: first.output[0]!.id }))
    expect((await server.post('/responses', { model: 'recorder', input: repeated })).status).to.equal(200)
    let last = first
    for (let turn = 0; turn < 20; turn += 1)
      last = await ask({ input: 'x'.repeat(200_000), previous_response_id: last.id })
    const refused = await server.post('/responses', { model: 'recorder', input: 'a', previous_response_id: last.id })
    expect(refused.status).to.equal(413)
    expect(await refused.json())
      .to.have.property('error')
      .that.contains('with the stored items of earlier responses')
  })

  it('are stored with their own items, and not continued where an earlier one was deleted', async () => {
    const long = 'x'.repeat(100_000)
    const first = await ask({ input: long })
    let last = first
    for (const input of ['two', 'three']) last = await ask({ input, previous_response_id: last.id })
    expect(said().map(([role]) => role)).to.deep.equal(['user', 'assistant', 'user', 'assistant', 'user'])
    const database = new Database(join(directory, 'responses.db'))
    const { bytes } = database.prepare('SELECT bytes FROM responses WHERE id = ?').get(last.id) as { bytes: number }
    database.close()
    expect(bytes).to.be.lessThan(10_000)
    await server.send('DELETE', `/v1/responses/${first.id}`)
    const refused = await server.post('/responses', { model: 'recorder', input: 'four', previous_response_id: last.id })
    expect(await refused.json())
      .to.have.property('error')
      .that.matches(/^previous_response_id: names no stored response/)
    expect((await server.get(`/v1/responses/${last.id}`)).status).to.equal(200)
  })

  it('are not continued without end', async () => {
    const tenant = server.keys.find(server.key)!.id
    const secret = storeSecret(server.keys)
    const store = new ResponseStore(join(directory, 'responses.db'), limits, silentLogger, secret)
    const item = { role: 'user', content: 'a' }
    for (let turn = 0; turn <= 1024; turn += 1)
      store.put(tenant, {
        ...{ id: `resp_turn_${turn}`, previous: turn ? `resp_turn_${turn - 1}` : undefined },
        ...{ response: {}, input: [item], output: [] },
      })
    store.close()
    await ask({ input: 'b', previous_response_id: 'resp_turn_1023' })
    expect(said()).to.have.length(1025)
    const refused = await server.post('/responses', {
      model: 'recorder',
      input: 'b',
      previous_response_id: 'resp_turn_1024',
    })
    expect(await refused.json())
      .to.have.property('error')
      .that.contains('continues more than 1024 responses')
  })

  it('hold the calls of tools', async () => {
    const tools = [{ type: 'mcp', server_label: 'town' }]
    const first = await ask({ model: 'caller', input: 'How is Ulm?', tools })
    await ask({ input: 'And now?', previous_response_id: first.id })
    expect(said().map(([role]) => role)).to.deep.equal(['user', 'assistant', 'tool', 'assistant', 'user'])
  })

  it('are stored when they were streamed', async () => {
    const streamed = await server.post('/responses', { model: 'recorder', input: 'one', stream: true })
    const id = /resp_[\da-f]{32}/.exec(await streamed.text())![0]
    expect((await server.get(`/v1/responses/${id}`)).status).to.equal(200)
  })

  it('are shown and deleted by their ids, and their items are found', async () => {
    const first = await ask({ input: 'one' })
    const shown = (await (await server.get(`/v1/responses/${first.id}`)).json()) as object
    expect(shown).to.deep.equal(first)
    await ask({
      input: [
        { type: 'item_reference', id: first.output[0]!.id },
        { role: 'user', content: 'x' },
      ],
    })
    expect(said()[0]).to.deep.equal(['assistant', JSON.stringify([{ type: 'text', text: 'noted' }])])
    const gone = await server.send('DELETE', `/v1/responses/${first.id}`)
    expect(await gone.json()).to.deep.equal({ id: first.id, object: 'response.deleted', deleted: true })
    expect((await server.get(`/v1/responses/${first.id}`)).status).to.equal(404)
  })

  it('are not stored where the caller says so', async () => {
    const first = await ask({ input: 'one', store: false })
    expect(first.store).to.equal(false)
    expect((await server.get(`/v1/responses/${first.id}`)).status).to.equal(404)
  })

  it('are not found by ids of none, in the words of OpenAI under /v1', async () => {
    const errorOf = async (answer: Response) => {
      const { error } = (await answer.json()) as { error: object }
      return [answer.status, { ...error, message: '' }]
    }
    const type = 'invalid_request_error'
    for (const method of ['GET', 'DELETE'] as const)
      expect(await errorOf(await server.send(method, '/v1/responses/resp_none'))).to.deep.equal([
        404,
        { message: '', type, code: 'response_not_found', param: 'id' },
      ])
    const body = { model: 'recorder', input: 'x', previous_response_id: 'resp_none' }
    expect(await errorOf(await server.post('/v1/responses', body))).to.deep.equal([
      400,
      { message: '', type, code: 'previous_response_not_found', param: 'previous_response_id' },
    ])
    const specified = await server.post('/responses', body)
    expect([specified.status, await specified.text()].join(' ')).to.contain(
      '400 {"error":"previous_response_id: names no',
    )
  })

  it('are as unknown as none to another key', async () => {
    const { id } = await ask({ input: 'one' })
    const { key } = server.keys.create({ name: 'other' })
    const texts = async (named: string) => {
      const headers = { authorization: `Bearer ${key}` }
      const continued = { model: 'recorder', input: 'x', previous_response_id: named }
      const answers = [
        await server.get(`/v1/responses/${named}`, headers),
        await server.send('DELETE', `/v1/responses/${named}`, undefined, headers),
        await server.post('/v1/responses', continued, headers),
      ]
      return Promise.all(answers.map(async (answer) => [answer.status, await answer.text()]))
    }
    expect(await texts(id)).to.deep.equal(await texts('resp_none'))
    expect((await server.get(`/v1/responses/${id}`)).status).to.equal(200)
  })

  it('survive a restart, and many at once', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, async () => (await ask({ input: 'one' })).id))
    expect(new Set(ids).size).to.equal(50)
    const { key, keys, home } = server
    const headers = { authorization: `Bearer ${key}` }
    const tenant = keys.find(key)!.id
    expect([tenant, home].every(Boolean)).to.equal(true)
    const other = new ResponseStore(join(directory, 'responses.db'), limits, silentLogger, storeSecret(keys))
    for (const id of ids) expect(other.response(tenant, id)).to.have.property('id', id)
    other.close()
    expect((await server.get(`/v1/responses/${ids[0]!}`, headers)).status).to.equal(200)
  })

  it('are answered where they cannot be stored, and say that they are not', async () => {
    const { logger, lines } = recordingLogger()
    const store = { path: join(directory, 'small.db'), bytes: 1024 * 1024 }
    const kernel = await testKernel([caller.model])
    await withServer(
      kernel,
      { responses: { store } },
      async ({ post, get }) => {
        const tools = [{ type: 'function', name: 'weather' }]
        const body = { model: 'caller', input: 'x'.repeat(1024 * 1024), tools }
        const whole = (await (await post('/v1/responses', body)).json()) as { id: string }
        expect(whole).to.include({ status: 'completed', store: false })
        expect((await get(`/v1/responses/${whole.id}`)).status).to.equal(404)
        const streamed = await (await post('/v1/responses', { ...body, stream: true })).text()
        expect(streamed.match(/^event: response\.(?:output_item\.done|completed|failed)/gm)).to.deep.equal([
          'event: response.output_item.done',
          'event: response.completed',
        ])
      },
      logger,
    )
    const warned = lines.filter(({ level }) => level === 'warn')
    expect(warned.map(({ message }) => message)).to.deep.equal(Array(2).fill('the response could not be stored'))
    expect(warned[0]!.fields['requestId']).to.be.a('string')
  })

  it('are refused clearly where none are stored', async () => {
    const without = await startServer(await testKernel([model]))
    try {
      const answer = await without.get('/v1/responses/resp_1')
      expect(answer.status).to.equal(400)
      expect(await answer.text()).to.contain('responses are not stored here')
    } finally {
      await without.stop()
    }
  })

  for (const [what, options, key] of [
    ['the address', { host: '192.0.2.1' }, undefined],
    ['the directory for uploads', { uploadDirectory: '/dev/null/none' }, undefined],
    ['the key', {}, 'short'],
  ] as const)
    it(`are let go where the server cannot start for ${what}`, async () => {
      const closing = mock.method(ResponseStore.prototype, 'close')
      const supplied = process.env['SALLYPORT_API_KEY']
      if (key) process.env['SALLYPORT_API_KEY'] = key
      const store = { path: join(directory, 'failed.db') }
      try {
        const failed = await startServer(await testKernel([model]), { responses: { store }, ...options }).catch(
          (error: unknown) => error,
        )
        expect(failed).to.have.property('code', 'config_invalid')
        expect(closing.mock.callCount()).to.equal(1)
      } finally {
        closing.mock.restore()
        if (supplied === undefined) delete process.env['SALLYPORT_API_KEY']
        else process.env['SALLYPORT_API_KEY'] = supplied
      }
    })
})
