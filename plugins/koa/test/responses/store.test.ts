import { failure, isSallyportError, silentLogger } from '@sallyport/core'
import { recordingLogger } from '@sallyport/core/conformance'
import type { Logger } from '@sallyport/core'
import { expect } from 'chai'
import Database from 'libsql'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeptResponse } from '../../src/responses/response-store.js'
import { SqliteResponseStore } from '../../src/responses/sqlite-response-store.js'
import { testKernel } from '../support/kernel.js'
import { recorder } from '../support/models.js'
import { callingTool, saying, stepper, town } from '../support/conversations.js'
import { startServer, withServer } from '../support/server.js'
import type { TestServer } from '../support/server.js'

const limits = { expireAfter: 60, bytes: 1_000_000, perTenant: 1_000_000 }
const keep = (id: string, text = 'a', previous?: string): KeptResponse => ({
  id,
  previous,
  response: { id, text },
  input: [{ role: 'user', content: text }],
  output: [{ id: `msg_${id}` }],
})

const hold = () => undefined

describe('the store of responses', () => {
  let directory: string
  let path: string
  let now = 0
  const open: SqliteResponseStore[] = []
  const opened = (given = limits, logger: Logger = silentLogger) => {
    const store = new SqliteResponseStore(path, given, logger, () => now)
    open.push(store)
    return store
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sallyport-responses-'))
    path = join(directory, 'responses.db')
    now = 1_000_000
  })
  afterEach(() => {
    for (const store of open.splice(0)) store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  it('gives back what it was given, also after a restart and to another process', () => {
    const store = opened()
    store.put('ann', keep('resp_1'))
    const other = opened()
    for (const one of [store, other]) {
      expect(one.response('ann', 'resp_1')).to.deep.equal({ id: 'resp_1', text: 'a' })
      expect(one.turn('ann', 'resp_1', hold)).to.deep.equal({
        previous: undefined,
        items: [{ role: 'user', content: 'a' }, { id: 'msg_resp_1' }],
      })
      expect(one.item('ann', 'msg_resp_1', hold)).to.deep.equal({ id: 'msg_resp_1' })
    }
    for (const one of open.splice(0)) one.close()
    expect(opened().response('ann', 'resp_1')).to.deep.equal({ id: 'resp_1', text: 'a' })
  })

  it('tells of what it is about to read', () => {
    const store = opened()
    store.put('ann', keep('resp_1', 'x'.repeat(1000)))
    store.put('ann', keep('resp_2', 'b', 'resp_1'))
    const held: number[] = []
    expect(store.turn('ann', 'resp_2', (bytes) => held.push(bytes))).to.have.property('previous', 'resp_1')
    expect(held).to.deep.equal(
      [JSON.stringify(keep('resp_2', 'b').input), '[{"id":"msg_resp_2"}]'].map((text) => text.length),
    )
    const full = () => {
      throw failure('overloaded', {})
    }
    expect(() => store.turn('ann', 'resp_1', full))
      .to.throw()
      .with.property('code', 'overloaded')
    expect(() => store.item('ann', 'msg_resp_1', full))
      .to.throw()
      .with.property('code', 'overloaded')
  })

  it('knows nothing of what is another’s', () => {
    const store = opened()
    store.put('ann', keep('resp_1'))
    expect(store.response('bob', 'resp_1')).to.equal(undefined)
    expect(store.turn('bob', 'resp_1', hold)).to.equal(undefined)
    expect(store.item('bob', 'msg_resp_1', hold)).to.equal(undefined)
    expect(store.remove('bob', 'resp_1')).to.equal(false)
    expect(store.response('ann', 'resp_1')).not.to.equal(undefined)
  })

  it('forgets what is removed, its items included, and leaves nothing of it in the file', () => {
    const store = opened()
    store.put('ann', keep('resp_1', 'a-secret-word'))
    expect(store.remove('ann', 'resp_1')).to.equal(true)
    expect(store.remove('ann', 'resp_1')).to.equal(false)
    expect(store.item('ann', 'msg_resp_1', hold)).to.equal(undefined)
    expect(stands('a-secret-word')).to.equal(false)
  })

  it('forgets what has expired', () => {
    const store = opened()
    store.put('ann', keep('resp_1'))
    now += 59_000
    expect(store.response('ann', 'resp_1')).not.to.equal(undefined)
    now += 1000
    expect(store.response('ann', 'resp_1')).to.equal(undefined)
    expect(store.turn('ann', 'resp_1', hold)).to.equal(undefined)
    expect(store.item('ann', 'msg_resp_1', hold)).to.equal(undefined)
    now -= 1000
    opened()
    expect(store.response('ann', 'resp_1')).not.to.equal(undefined)
    now += 1000
    opened()
    now -= 1000
    expect(store.response('ann', 'resp_1'), 'swept at the start').to.equal(undefined)
  })

  it('keeps no more than it may: the oldest go first, of a key that has too many its own', () => {
    const store = opened({ expireAfter: 60, bytes: 30_000, perTenant: 20_000 })
    const text = 'x'.repeat(2_500)
    store.put('ann', keep('old', text))
    for (const id of ['1', '2', '3', '4']) {
      now += 1
      store.put('bob', keep(id, text))
    }
    expect(store.response('bob', '1')).to.equal(undefined)
    expect(store.response('ann', 'old'), 'others are not touched').not.to.equal(undefined)
    for (const id of ['5', '6', '7']) {
      now += 1
      store.put('cid', keep(id, text))
    }
    expect(store.response('ann', 'old'), 'the oldest of all').to.equal(undefined)
    expect(() => store.put('cid', keep('huge', 'x'.repeat(20_000))))
      .to.throw('could not be kept')
      .with.property('code', 'insufficient_storage')
    expect(store.response('cid', 'huge')).to.equal(undefined)
    expect(store.response('cid', '7')).not.to.equal(undefined)
  })

  /** Whether it stands in any of the files. */
  const stands = (text: string) =>
    readdirSync(directory).some((file) => readFileSync(join(directory, file)).includes(text))

  it('overwrites what is too much at once, or when no other process reads it any more', () => {
    mock.timers.enable({ apis: ['setInterval'] })
    const reader = new Database(path)
    try {
      const store = opened({ expireAfter: 60, bytes: 30_000, perTenant: 20_000 })
      store.put('ann', keep('old', 'a-secret-word'))
      const fill = (id: string) => {
        now += 1
        store.put('ann', keep(id, 'x'.repeat(9_000)))
      }
      fill('1')
      fill('2')
      expect(stands('a-secret-word')).to.equal(false)
      store.put('ann', keep('later', 'another-word'))
      reader.exec('BEGIN; SELECT * FROM responses')
      fill('3')
      fill('4')
      expect(stands('another-word')).to.equal(true)
      reader.exec('COMMIT')
      mock.timers.tick(60_000)
      expect(stands('another-word')).to.equal(false)
    } finally {
      reader.close()
      mock.timers.reset()
    }
  })

  /** What another process does that is writing. */
  const whileWritten = (use: () => void) => {
    const other = new Database(path)
    other.exec('BEGIN IMMEDIATE')
    try {
      use()
    } finally {
      other.exec('ROLLBACK')
      other.close()
    }
  }

  it('says that it is in use while another process writes, still reads, and closes', () => {
    const store = opened()
    store.put('ann', keep('resp_1'))
    whileWritten(() => {
      for (const write of [() => store.put('ann', keep('resp_2')), () => store.remove('ann', 'resp_1')])
        expect(write).to.throw('in use by another server').that.includes({ code: 'overloaded', retryAfter: 1 })
      expect(store.response('ann', 'resp_1')).not.to.equal(undefined)
      for (const one of open.splice(0)) one.close()
      expect(() => store.response('ann', 'resp_1'))
        .to.throw('something went wrong')
        .with.property('code', 'internal')
    })
  })

  it('sweeps later what it cannot sweep while another process writes', () => {
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      const { logger, lines } = recordingLogger()
      const store = opened(limits, logger)
      store.put('ann', keep('resp_1'))
      now += 60_000
      whileWritten(() => mock.timers.tick(60_000))
      expect(lines.map(({ level, message }) => [level, message])).to.deep.equal([
        ['warn', 'what has expired of the responses could not be removed: tried again soon'],
      ])
      now -= 1
      expect(store.response('ann', 'resp_1')).not.to.equal(undefined)
      now += 1
      mock.timers.tick(60_000)
      now -= 1
      expect(store.response('ann', 'resp_1')).to.equal(undefined)
    } finally {
      mock.timers.reset()
    }
  })

  it('is read by its owner only', () => {
    opened().put('ann', keep('resp_1'))
    for (const file of readdirSync(directory))
      expect(statSync(join(directory, file)).mode & 0o777, file).to.equal(0o600)
  })

  it('is opened while another process writes, and is no damaged one where that keeps it locked', () => {
    opened().put('ann', keep('resp_1'))
    whileWritten(() => expect(opened().response('ann', 'resp_1')).not.to.equal(undefined))
    path = join(directory, 'locked.db')
    const other = new Database(path)
    other.exec('BEGIN EXCLUSIVE')
    expect(() => opened())
      .to.throw(`${path}: is in use by another process`)
      .with.property('code', 'config_invalid')
    other.close()
  })

  for (const [what, bytes] of [
    ['no database', Buffer.from('something else '.repeat(100))],
    ['a damaged one', undefined],
  ] as const)
    it(`says so at the start where the file is ${what}`, () => {
      if (bytes) writeFileSync(path, bytes)
      else {
        const store = opened()
        for (let at = 0; at < 50; at += 1) store.put('ann', keep(`resp_${at}`, 'x'.repeat(2000)))
        for (const one of open.splice(0)) one.close()
        const whole = readFileSync(path)
        whole.fill(0x5a, 4096, whole.length - 4096)
        writeFileSync(path, whole)
      }
      let thrown: unknown
      try {
        opened()
      } catch (error) {
        thrown = error
      }
      expect(isSallyportError(thrown) && thrown.code).to.equal('config_invalid')
      expect(String(thrown)).to.contain(`${path}: cannot be used to keep responses`)
    })
})

describe('responses that are kept', () => {
  let directory: string
  let server: TestServer
  const { model, requests } = recorder()
  const caller = stepper('caller', callingTool('weather', '{"city":"Ulm"}'), saying('Sunny.'))
  const start = async () => {
    const store = { path: join(directory, 'responses.db') }
    return startServer(await testKernel([model, caller.model, town().model]), { responses: { store } })
  }
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sallyport-responses-'))
    server = await start()
  })
  after(async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  })

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

  it('are kept by their own items, and not continued where one of before is forgotten', async () => {
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
      .that.matches(/^previous_response_id: names no response that/)
    expect((await server.get(`/v1/responses/${last.id}`)).status).to.equal(200)
  })

  it('are not continued without end', async () => {
    const tenant = server.keys.find(server.key)!.id
    const store = new SqliteResponseStore(join(directory, 'responses.db'), limits, silentLogger)
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

  it('are kept when they were streamed', async () => {
    const streamed = await server.post('/responses', { model: 'recorder', input: 'one', stream: true })
    const id = /resp_[\da-f]{32}/.exec(await streamed.text())![0]
    expect((await server.get(`/v1/responses/${id}`)).status).to.equal(200)
  })

  it('are shown and forgotten by their ids, and their items are found', async () => {
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
    expect((await server.get(`/v1/responses/${first.id}`)).status).to.equal(400)
  })

  it('are not kept where the caller says so', async () => {
    const first = await ask({ input: 'one', store: false })
    expect(first.store).to.equal(false)
    expect((await server.get(`/v1/responses/${first.id}`)).status).to.equal(400)
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
    const other = new SqliteResponseStore(join(directory, 'responses.db'), limits, silentLogger)
    for (const id of ids) expect(other.response(tenant, id)).to.have.property('id', id)
    other.close()
    expect((await server.get(`/v1/responses/${ids[0]!}`, headers)).status).to.equal(200)
  })

  it('are answered where they cannot be kept, and say that they are not', async () => {
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
        expect((await get(`/v1/responses/${whole.id}`)).status).to.equal(400)
        const streamed = await (await post('/v1/responses', { ...body, stream: true })).text()
        expect(streamed.match(/^event: response\.(?:output_item\.done|completed|failed)/gm)).to.deep.equal([
          'event: response.output_item.done',
          'event: response.completed',
        ])
      },
      logger,
    )
    const warned = lines.filter(({ level }) => level === 'warn')
    expect(warned.map(({ message }) => message)).to.deep.equal(Array(2).fill('the response could not be kept'))
    expect(warned[0]!.fields['requestId']).to.be.a('string')
  })

  it('are refused clearly where none are kept', async () => {
    const without = await startServer(await testKernel([model]))
    try {
      const answer = await without.get('/v1/responses/resp_1')
      expect(answer.status).to.equal(400)
      expect(await answer.text()).to.contain('responses are not kept here')
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
      const { close } = SqliteResponseStore.prototype
      const supplied = process.env['SALLYPORT_API_KEY']
      let closed = 0
      SqliteResponseStore.prototype.close = function (this: SqliteResponseStore) {
        close.call(this)
        closed += 1
      }
      if (key) process.env['SALLYPORT_API_KEY'] = key
      const store = { path: join(directory, 'failed.db') }
      try {
        const failed = await startServer(await testKernel([model]), { responses: { store }, ...options }).catch(
          (error: unknown) => error,
        )
        expect(failed).to.have.property('code', 'config_invalid')
        expect(closed).to.equal(1)
      } finally {
        SqliteResponseStore.prototype.close = close
        if (supplied === undefined) delete process.env['SALLYPORT_API_KEY']
        else process.env['SALLYPORT_API_KEY'] = supplied
      }
    })
})
