import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '@sallyport/core'
import type { Logger } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import Database from 'libsql'
import { ResponseStore } from '../../src/response-store/response-store.js'
import type { StoredResponse } from '../../src/response-store/response-store.js'

const limits = { expireAfter: 60, bytes: 1_000_000, perTenant: 1_000_000 }
const keep = (id: string, previous?: string): StoredResponse => ({
  ...{ id, previous },
  response: { id },
  input: [{ role: 'user', content: 'a' }],
  output: [{ id: `msg_${id}` }],
})

const hold = () => undefined
const own = Buffer.alloc(32, 1)

describe('the store of what responses replaced', () => {
  let directory: string
  let path: string
  let now = 0
  const open: ResponseStore[] = []
  const opened = (given = limits, logger: Logger = silentLogger, secret: Uint8Array = own) => {
    const store = new ResponseStore(path, given, logger, secret, () => now)
    open.push(store)
    return store
  }
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sallyport-replaced-'))
    path = join(directory, 'responses.db')
    now = 1_000_000
  })
  afterEach(() => {
    for (const store of open.splice(0)) store.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const replaced = [{ type: 'PERSON', original: 'Jane Miller', substitute: '<PERSON_1>' }]
  const replacedIn = (store: ResponseStore, id = 'resp_1') => store.turn('ann', id, hold)?.replaced

  it('keeps it encrypted, and reads it with the same secret only', () => {
    opened().put('ann', { ...keep('resp_1'), replaced })
    for (const one of open.splice(0)) one.close()
    expect(
      readdirSync(directory)
        .map((name) => readFileSync(join(directory, name), 'latin1'))
        .join(),
    ).not.to.match(/Jane|Miller|PERSON/)
    expect(replacedIn(opened())).to.deep.equal(replaced)
    const { logger, lines } = recordingLogger()
    expect(replacedIn(opened(limits, logger, Buffer.alloc(32, 2)))).to.deep.equal([])
    expect(JSON.stringify(lines))
      .to.include('another secret')
      .and.not.to.match(/Jane|PERSON/)
  })

  it('does not take that of another response', () => {
    const store = opened()
    store.put('ann', { ...keep('resp_1'), replaced })
    store.put('ann', { ...keep('resp_2'), replaced })
    const database = new Database(path)
    const { texts } = database.prepare("SELECT texts FROM replaced WHERE response = 'resp_1'").get() as {
      texts: Buffer
    }
    database.prepare('UPDATE replaced SET texts = ? WHERE response = ?').run(texts, 'resp_2')
    database.close()
    expect([replacedIn(store), replacedIn(store, 'resp_2')]).to.deep.equal([replaced, []])
  })

  it('deletes it with the response, and when that expires', () => {
    const store = opened()
    const count = () => {
      const database = new Database(path)
      const { rows } = database.prepare('SELECT count(*) AS rows FROM replaced').get() as { rows: number }
      database.close()
      return rows
    }
    store.put('ann', { ...keep('resp_1'), replaced })
    store.put('ann', { ...keep('resp_2'), replaced })
    expect(count()).to.equal(2)
    store.delete('ann', 'resp_1')
    expect(count()).to.equal(1)
    now += limits.expireAfter * 1000
    opened()
    expect(count()).to.equal(0)
  })

  it('counts its bytes, and stores none without a secret', () => {
    const store = opened({ ...limits, perTenant: 400 })
    const many = Array.from({ length: 40 }, (_, at) => ({ ...replaced[0]!, original: `Jane ${at}` }))
    expect(() => store.put('ann', { ...keep('resp_1'), replaced: many })).to.throw('could not be stored')
    const without = new ResponseStore(path, limits, silentLogger)
    open.push(without)
    without.put('ann', { ...keep('resp_2'), replaced })
    expect(replacedIn(opened(), 'resp_2')).to.deep.equal([])
  })

  it('has room for it in databases of earlier servers', () => {
    opened().put('ann', keep('resp_1'))
    for (const one of open.splice(0)) one.close()
    const database = new Database(path)
    database.exec('DROP TABLE replaced')
    database.close()
    const store = opened()
    store.put('ann', { ...keep('resp_2', 'resp_1'), replaced })
    expect([replacedIn(store), replacedIn(store, 'resp_2')]).to.deep.equal([[], replaced])
  })
})
