import { expect } from 'chai'
import { turnsDuring } from '@sallyport/stand-ins/turns-during'
import { testCall } from '@sallyport/testing'
import { SchemaChecker, schemaText } from '../../src/schemas/schema-checker.js'

const slow = schemaText({ pattern: '^(\\w+\\s?)*$' })
const slowAnswer = JSON.stringify(`${'a'.repeat(40)}!`)
const number = schemaText({ type: 'integer' })

describe('the thread of schemas', () => {
  let checker: SchemaChecker
  beforeEach(() => void (checker = new SchemaChecker()))
  afterEach(() => checker.stop())

  it('lets the event loop turn while a pattern takes for ever, and is replaced then', async () => {
    const checking = checker.problemOfAnswer(slow, slowAnswer, testCall())
    expect(await turnsDuring(checking, 1000)).to.equal(true)
    const waiting = checker.problemOfAnswer(number, '"x"', testCall())
    expect((await checking)?.problem).to.contain('too complex')
    expect(await waiting).to.deep.equal({
      kind: 'answer',
      path: [],
      problem: 'must be of the type integer',
    })
  })

  it('ignores keywords that are the library’s own', async () => {
    const limited = schemaText({ type: 'string', format: 'date', formatMinimum: { $data: '1' } })
    expect(await checker.problemOf('compile', limited, testCall())).to.equal(undefined)
    expect(await checker.problemOfAnswer(limited, '"2024-02-29"', testCall())).to.equal(undefined)
  })

  for (const kind of ['inspect', 'compile', 'validate'] as const)
    it(`says what was thrown where that is nobody's fault, and lives on: ${kind}`, async () => {
      const broken = { schema: '{', hash: 'broken' }
      const asked =
        kind === 'validate'
          ? checker.problemOfAnswer(broken, '1', testCall())
          : checker.problemOf(kind, broken, testCall())
      const error: unknown = await asked.catch((thrown: unknown) => thrown)
      expect(error).to.include({ code: 'internal' })
      expect(error).to.have.property('cause').that.is.instanceOf(SyntaxError)
      expect(await checker.problemOf(kind === 'inspect' ? 'inspect' : 'compile', number, testCall())).to.equal(
        undefined,
      )
    })

  it('forgets after a minute what was too complex, whoever said so', async () => {
    const links = Array.from({ length: 1000 }, (_, at) => [`d${at}`, { items: { $ref: `#/$defs/d${at + 1}` } }])
    const deep = schemaText({ $ref: '#/$defs/d0', $defs: Object.fromEntries([...links, ['d1000', true]]) as object })
    const asked = () => checker.problemOf('compile', deep, testCall())
    expect(await asked()).to.include({ kind: 'complexity' })
    await checker.stop()
    expect(await asked()).to.include({ kind: 'complexity' })
    const now = performance.now.bind(performance)
    try {
      performance.now = () => now() + 61_000
      expect(await asked().catch(String)).to.contain('the server is shutting down')
    } finally {
      Reflect.deleteProperty(performance, 'now')
    }
  })

  it('waits for nobody who has gone', async () => {
    const gone = new AbortController()
    const checking = checker.problemOfAnswer(slow, slowAnswer, testCall({ signal: gone.signal }))
    const left = new Error('gone')
    gone.abort(left)
    expect(await checking.catch((error: unknown) => error)).to.equal(left)
    expect(await checker.problemOfAnswer(number, '1', testCall())).to.equal(undefined)
  })

  it('refuses what it is asked while it is stopped', async () => {
    const checking = [slow, number].map((schema) =>
      checker.problemOfAnswer(schema, slowAnswer, testCall()).catch(String),
    )
    await checker.stop()
    for (const outcome of await Promise.all(checking)) expect(outcome).to.contain('the server is shutting down')
    expect(await checker.problemOf('compile', number, testCall()).catch(String)).to.contain(
      'the server is shutting down',
    )
  })
})
