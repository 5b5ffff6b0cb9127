import { expect } from 'chai'
import { failure, isSallyportError, withInputIndex, withRenamedField } from '../../src/index.js'

const asked = 'images[0].image'
const rename = (field: string) => field.replace(asked, 'messages[2].content[1]')

describe('an error of a model that was asked on behalf of a request', () => {
  it('names the field of the request', () => {
    const cause = new Error('libpng: bad CRC')
    const error = withRenamedField(
      failure('invalid_request', { field: asked, problem: 'is broken' }, { cause }),
      rename,
    )
    expect(error).to.include({ code: 'invalid_request', message: 'messages[2].content[1]: is broken', cause })
    expect(isSallyportError(error)).to.equal(true)
  })

  it('keeps its other details, and when to try again', () => {
    const details = { tokens: 9, limit: 8, atLeast: true }
    const error = withRenamedField(failure('context_exceeded', { ...details, field: asked }, { retryAfter: 3 }), rename)
    expect(error).to.deep.include({ retryAfter: 3, details: { ...details, field: 'messages[2].content[1]' } })
  })

  for (const [what, error] of [
    ['names no field', failure('overloaded', {}, { retryAfter: 1 })],
    ['is none of the table', new TypeError('oh')],
    ['is no error', 'oh'],
  ] as const)
    it(`stays as it is where it ${what}`, () => expect(withRenamedField(error, rename)).to.equal(error))

  it('names the place of an input in the whole request where it was asked in parts', () => {
    const error = failure('invalid_request', { field: 'inputs[1].image', problem: 'is broken' })
    expect(withInputIndex(error, (index) => index + 256)).to.have.property('message', 'inputs[257].image: is broken')
  })
})
