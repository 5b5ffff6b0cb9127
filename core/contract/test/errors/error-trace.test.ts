import { expect } from 'chai'
import { errorTrace, failure, loggable } from '../../src/index.js'

describe('the trace of an error', () => {
  const secret = 'my card is 4111'
  const cases: { name: string; error: unknown }[] = [
    { name: 'an error', error: new TypeError(secret) },
    { name: 'a message of several lines', error: new Error(`a\n${secret}\nb`) },
    { name: 'a message that looks like frames', error: new Error(`a\n    at ${secret} (file:1:2)`) },
    { name: 'a message that was changed', error: Object.assign(new Error(`a\n${secret}`), { message: 'b' }) },
    { name: 'a code that is a text', error: Object.assign(new Error('a'), { code: secret }) },
    { name: 'a name that is a text', error: Object.assign(new Error('a'), { name: secret }) },
    { name: 'an error of the table', error: failure('invalid_request', { field: secret, problem: secret }) },
    { name: 'a cause', error: new Error('a', { cause: new Error(secret) }) },
    { name: 'what is no error', error: secret },
  ]
  for (const { name, error } of cases)
    it(`holds no message: ${name}`, () => {
      const trace = errorTrace(error)
      expect(JSON.stringify(trace)).not.to.contain('4111')
      if (error instanceof Error) expect(trace.frames.join()).to.match(/^at .*error-trace\.test/)
    })

  it('holds messages of our own that hold nothing of users', () => {
    const own = failure('internal', {}, { cause: loggable(new TypeError('no answer', { cause: new Error(secret) })) })
    const { message, cause } = errorTrace(own)
    expect(message).to.equal('something went wrong on the server')
    expect(cause).to.include({ name: 'TypeError', message: 'no answer' })
    expect(cause?.cause).to.have.keys('name', 'frames')
  })

  it('holds messages of others apart, where that is asked for', () => {
    const error = new AggregateError([new RangeError(secret)], 'many')
    expect(errorTrace(error, 'separate')).to.include({ foreignMessage: 'many' })
    expect(errorTrace(error, 'separate').errors?.[0]).to.include({ name: 'RangeError', foreignMessage: secret })
    expect(errorTrace('thrown', 'separate')).to.include({ name: 'string', foreignMessage: 'thrown' })
    expect(JSON.stringify(errorTrace(error))).not.to.contain('4111')
  })

  it('has no frames where the message has changed, which may look like them', () => {
    const error = new Error(`x\n    at ${secret}`)
    // The stack is written when it is first read.
    expect(error.stack).to.contain(secret)
    error.message = 'y'
    expect(errorTrace(error).frames).to.deep.equal([])
  })

  it('is made of what cannot be converted to a text', () => {
    expect(errorTrace(Object.create(null), 'all')).to.deep.equal({ name: 'object', message: '', frames: [] })
    const cause: unknown = Object.create(null)
    expect(errorTrace(new Error('x', { cause })).cause).to.deep.equal({ name: 'object', frames: [] })
  })

  it('has no frames where the stack is no text', () => {
    expect(errorTrace(Object.assign(new Error('x'), { stack: [] })).frames).to.deep.equal([])
  })

  it('cuts frames that are too long', () => {
    const error = new Error('x')
    error.stack = `Error: x\n    at near (a.js:1:1)\n    at far (${'b'.repeat(1000)})`
    expect(errorTrace(error).frames.map(({ length }) => length)).to.deep.equal([18, 500])
  })

  it('is of bounded depth, even where an error is its own cause', () => {
    const error: Error & { cause?: unknown } = new Error('round')
    error.cause = error
    expect(JSON.stringify(errorTrace(error, 'all')).match(/"message":"round"/g)).to.have.length(9)
  })

  it('holds names and codes', () => {
    expect(errorTrace(failure('overloaded', {}))).to.include({ name: 'SallyportError', code: 'overloaded' })
    expect(errorTrace(Object.assign(new RangeError(), { code: 'ERR_X' }))).to.include({
      name: 'RangeError',
      code: 'ERR_X',
    })
  })
})
