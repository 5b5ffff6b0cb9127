import { expect } from 'chai'
import { call } from '../guard/support.js'
import { SchemaChecker, schemaText } from '../../src/structured/schema-checker.js'
import { Turns } from '../../src/structured/turns.js'
import { turnsDuring } from './support.js'

const slow = schemaText({ pattern: '^(\\w+\\s?)*$' })
const slowAnswer = JSON.stringify(`${'a'.repeat(40)}!`)
const number = schemaText({ type: 'integer' })

describe('the thread of schemas', () => {
  let checker: SchemaChecker
  beforeEach(() => void (checker = new SchemaChecker()))
  afterEach(() => checker.stop())

  it('lets the event loop turn while a pattern takes for ever, and is replaced then', async () => {
    const checking = checker.problemOfAnswer(slow, slowAnswer, call())
    expect(await turnsDuring(checking, 1000)).to.equal(true)
    const waiting = checker.problemOfAnswer(number, '"x"', call())
    expect((await checking)?.problem).to.contain('too complex')
    expect(await waiting).to.deep.equal({ path: [], problem: 'must be of the type integer' })
  })

  it('waits for nobody who has gone', async () => {
    const gone = new AbortController()
    const checking = checker.problemOfAnswer(slow, slowAnswer, call(gone.signal))
    const left = new Error('gone')
    gone.abort(left)
    expect(await checking.catch((error: unknown) => error)).to.equal(left)
    expect(await checker.problemOfAnswer(number, '1', call())).to.equal(undefined)
  })

  it('refuses what it is asked while it is stopped', async () => {
    const checking = [slow, number].map((schema) => checker.problemOfAnswer(schema, slowAnswer, call()).catch(String))
    await checker.stop()
    for (const outcome of await Promise.all(checking)) expect(outcome).to.contain('the server is shutting down')
    expect(await checker.problemOf('compile', number, call()).catch(String)).to.contain('the server is shutting down')
  })
})

describe('turns of tenants', () => {
  it('alternate, one at a time', async () => {
    const turns = new Turns()
    const order: string[] = []
    let running = 0
    const run = (tenant: string, name: string) =>
      turns.run({ ...call(), tenant }, async () => {
        running += 1
        expect(running).to.equal(1)
        order.push(name)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
      })
    await Promise.all([run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('c', 'c1'), run('b', 'b2')])
    expect(order).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })
})
