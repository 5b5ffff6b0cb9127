import { expect } from 'chai'
import { Pacer } from '@sallyport/kit/async'
import { testCall, countTurns } from '@sallyport/testing'
import { stringsIn } from '@sallyport/kit/views'
import { withDistinctKeys } from '../../src/replace/json-keys.js'

/** An object of so many members, with the spans of its keys, quotes left out. */
const objectOf = (members: number) => {
  const member = '"<S>":1,'
  const written = Array.from({ length: members }, (_, at) => ({
    start: 2 + at * member.length,
    end: 5 + at * member.length,
  }))
  return { json: `{${member.repeat(members).slice(0, -1)}}`, written }
}

describe('JSON with thousands of members', () => {
  const { json, written } = objectOf(5000)

  it('has its strings looked for in turns with other work', async () => {
    expect(await countTurns((pacer) => stringsIn(json, pacer))).to.be.at.least(5000)
  })

  it('has its keys looked for, and read, in turns with other work', async () => {
    expect(await countTurns((pacer) => withDistinctKeys(json, written, pacer))).to.be.at.least(10_000)
  })

  it('has only the keys read of objects in which one is new', async () => {
    expect(await countTurns((pacer) => withDistinctKeys(json, [], pacer))).to.be.below(5100)
  })

  it('keeps a quarter of a million that become equal', async () => {
    const large = objectOf(250_000)
    const distinct = await withDistinctKeys(large.json, large.written, new Pacer(testCall()))
    expect(Object.keys(JSON.parse(distinct) as object)).to.have.length(250_000)
  })
})
