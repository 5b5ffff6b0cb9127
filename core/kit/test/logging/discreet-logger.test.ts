import { expect } from 'chai'
import { recordingLogger } from '@sallyport/testing'
import { withOrigin, errorTrace, failure } from '@sallyport/core'
import { discreetLogger } from '../../src/logging/discreet-logger.js'

const secret = 'my card is 4111'
const thrown = () =>
  withOrigin(
    Object.assign(new RangeError(secret, { cause: new AggregateError([new Error(secret)], secret) }), { code: 'X' }),
    {
      plugin: 'p',
      model: 'm',
    },
  )

/** What is logged of these fields. */
const logged = (fields: object, exceptions: 'frames' | 'full' = 'frames') => {
  const { lines, logger } = recordingLogger()
  discreetLogger(logger, { exceptions }).child({ plugin: 'x' }).error(fields, 'm')
  return lines[0]!.fields
}

describe('a discreet logger', () => {
  const cases: Record<string, object> = {
    'an error': { err: thrown() },
    'an error under another name': { error: thrown() },
    'what came from another process': { error: errorTrace(thrown(), 'separate') },
    'what a process printed': { lastOutput: [secret] },
    'an error of the table that quotes': { err: failure('model_not_found', { model: secret, available: [] }) },
  }
  for (const [name, fields] of Object.entries(cases)) {
    it(`leaves out what is said: ${name}`, () => {
      expect(JSON.stringify(logged(fields))).not.to.contain('4111')
    })
    it(`says it where that is wanted: ${name}`, () => {
      expect(JSON.stringify(logged(fields, 'full'))).to.contain('4111')
    })
  }

  it('leaves out what is said in the fields of a child', () => {
    const { lines, logger } = recordingLogger()
    discreetLogger(logger).child({ err: thrown() }).info({}, 'm')
    expect(JSON.stringify(lines)).not.to.contain('4111')
  })

  it('keeps class, code, whose code it was, and the places of an error and its causes', () => {
    const { err, plugin } = logged({ err: thrown() })
    expect(plugin).to.equal('x')
    expect(err).to.include({ type: 'RangeError', code: 'X', plugin: 'p', model: 'm' })
    expect(err)
      .to.have.property('stack')
      .that.matches(/^RangeError\n {4}at .*discreet-logger\.test/)
    expect(err).to.have.nested.property('cause.type', 'AggregateError')
    expect(err).to.have.nested.property('cause.aggregateErrors[0].type', 'Error')
  })

  it('keeps our own words', () => {
    const { err } = logged({ err: failure('overloaded', {}), id: 1 })
    expect(err).to.have.property('message').that.contains('too many requests')
    expect(logged({ id: 1, list: ['a'], none: undefined })).to.include({ id: 1, plugin: 'x' })
  })
})
