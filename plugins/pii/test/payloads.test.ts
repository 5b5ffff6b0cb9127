import { expect } from 'chai'
import { withoutPayloads } from '../src/model/payloads.js'

const length = 13_000_000
const of = (part: string) => part.repeat(Math.ceil(length / part.length))

describe('rows of bytes', () => {
  for (const [name, row] of [
    ['base64', of('aB3')],
    ['hexadecimal digits', of('0af')],
    ['a picture', `data:image/png;base64,${of('aB3/')}`],
    ['a picture as JSON may write it', `data:image/png;base64,${of(String.raw`aB3\/`)}`],
  ] as const)
    it(`are blanks, however long they are: ${name}`, () => {
      const blanks = ' '.repeat(row.length + 2)
      expect(withoutPayloads(`see ${row}== of Rand`) === `see ${blanks} of Rand`).to.equal(true)
    }).timeout(60_000)

  for (const [name, row] of [
    ['small letters', of('abc')],
    ['a path', of('src/components/')],
  ] as const)
    it(`of words stay, however long they are: ${name}`, () => {
      expect(withoutPayloads(`see ${row} of Rand`) === `see ${row} of Rand`).to.equal(true)
    }).timeout(60_000)

  it('are blanks beside each other', () => {
    const row = 'aB3/'.repeat(20)
    expect(withoutPayloads(`${row} ${row}=, ${row}`).trim()).to.equal(',')
  })
})
