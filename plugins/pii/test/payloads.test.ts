import { createHash } from 'node:crypto'
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

  for (const row of [
    'data:text/plain;base64,My-name-is-Jane-Miller-and-I-live-in-Baker-Street-London',
    'data:text/plain;base64,MynameisJaneMillerandIliveinBakerStreetLondon',
    'data:text/plain;base64,MY_NAME_IS_JANE_MILLER_AND_I_LIVE_IN_LONDON',
    `data:text/plain;base64,${of('aB3/')}-My-name-is-Jane-Miller${'-and-I-live-in-London'.repeat(4000)}`,
    'Ja9neMi9ller/Ba9kerSt9reet/Lon9don/UK/9aB7c',
  ])
    it(`of words stay, though they are written as bytes are: ${row.slice(0, 60)}`, () => {
      expect(withoutPayloads(`see ${row} of Rand`) === `see ${row} of Rand`).to.equal(true)
    }).timeout(60_000)

  it('are blanks, with hardly an exception, whatever they hold', () => {
    let shown = 0
    for (let at = 0; at < 500; at += 1) {
      const bytes = createHash('sha512').update(String(at)).digest()
      const rows = [
        bytes.toString('base64'),
        bytes.toString('base64url'),
        `data:a/b;base64,${bytes.toString('base64url')}`,
      ]
      shown += rows.filter((row) => withoutPayloads(row).trim() !== '').length
    }
    expect(shown).to.be.below(30)
  })

  it('are blanks beside each other', () => {
    const row = 'aB3/'.repeat(20)
    expect(withoutPayloads(`${row} ${row}=, ${row}`).trim()).to.equal(',')
  })
})
