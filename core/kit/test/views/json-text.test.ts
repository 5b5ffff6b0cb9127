import { expect } from 'chai'
import { countTurns, testCall } from '@sallyport/testing'
import { Pacer } from '../../src/async/pacer.js'
import { isJson, isJsonInTime } from '../../src/views/json-text.js'

describe('a long text', () => {
  const many = 200_000
  const texts: Readonly<Record<string, string>> = {
    'a list': `[${'7,'.repeat(many)}7]`,
    'nested lists': ' ['.repeat(many) + ']'.repeat(many),
    'a list that is cut off': `[${'7,'.repeat(many)}`,
    'a string of JSON': JSON.stringify('7'.repeat(2 * many)),
    prose: 'The [old] bridge. '.repeat(many / 8),
  }
  for (const [name, text] of Object.entries(texts))
    it(`is JSON in a thread where it is JSON here: ${name}`, async () => {
      expect(await isJsonInTime(text, new Pacer(testCall()))).to.equal(isJson(text))
    })

  it('leaves the event loop to others while it is parsed', async () => {
    const text = '['.repeat(5 * many) + ']'.repeat(5 * many)
    expect(await countTurns(() => isJsonInTime(text, new Pacer(testCall())))).to.be.above(8)
  })
})
