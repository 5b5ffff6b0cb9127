import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mock } from 'node:test'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failure, isSallyportError, silentLogger } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import Database from 'libsql'
import type { StoredResponse } from '../../src/response-store/response-store.js'
import { ResponseStore } from '../../src/response-store/response-store.js'

const limits = { expireAfter: 60, bytes: 1_000_000, perTenant: 1_000_000 }
const keep = (id: string, text = 'a', previous?: string): StoredResponse => ({
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
  const open: ResponseStore[] = []
  const opened = (given = limits, logger: Logger = silentLogger) => {
    const store = new ResponseStore(path, given, logger, undefined, () => now)
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
        replaced: [],
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
    expect(store.delete('bob', 'resp_1')).to.equal(false)
    expect(store.response('ann', 'resp_1')).not.to.equal(undefined)
  })

  it('deletes a response, its items included, and leaves nothing of it in the file', () => {
    const store = opened()
    store.put('ann', keep('resp_1', 'a-secret-word'))
    expect(store.delete('ann', 'resp_1')).to.equal(true)
    expect(store.delete('ann', 'resp_1')).to.equal(false)
    expect(store.item('ann', 'msg_resp_1', hold)).to.equal(undefined)
    expect(stands('a-secret-word')).to.equal(false)
  })

  it('deletes expired responses', () => {
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
      .to.throw('could not be stored')
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
      for (const write of [() => store.put('ann', keep('resp_2')), () => store.delete('ann', 'resp_1')])
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
        ['warn', 'expired responses could not be deleted: will retry'],
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

  it('goes on with a database of version 2, which its older servers refuse from then on', () => {
    opened().put('ann', keep('resp_1'))
    for (const one of open.splice(0)) one.close()
    const database = new Database(path)
    database.exec('CREATE TABLE replaced (texts BLOB NOT NULL); PRAGMA user_version = 2')
    expect(opened().response('ann', 'resp_1')).to.deep.equal({ id: 'resp_1', text: 'a' })
    expect(database.prepare('PRAGMA user_version').get()).to.have.property('user_version', 3)
    expect(database.prepare("SELECT name FROM sqlite_master WHERE name = 'replaced'").all()).to.deep.equal([])
    database.close()
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
      expect(String(thrown)).to.contain(`${path}: cannot be used to store responses`)
    })
})
