import { expect } from 'chai'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from '@sallyport/testing'
import { OptionsCache } from '../src/options-cache.js'
import { instructionsOf } from '../src/prompt-leak/instructions.js'
import { listsOf } from '../src/words/lists.js'

describe('what is made of options', () => {
  it('is the same for all tenants where the options are one object', () => {
    const options = { words: ['apex'] }
    expect(listsOf(options, 'one')).to.equal(listsOf(options, 'other'))
  })

  it('is another for each tenant where they only say the same', () => {
    const made = listsOf({ words: ['zenith'] }, 'one')
    expect(listsOf({ words: ['zenith'] }, 'one')).to.equal(made)
    expect(listsOf({ words: ['zenith'] }, 'other')).to.not.equal(made)
  })

  it('is kept up to a weight, whatever its number', () => {
    const known = new OptionsCache<number>(100, (made) => made)
    known.set({ a: 1 }, 'one', 60)
    known.set({ a: 2 }, 'one', 60)
    known.set({ a: 3 }, 'one', 101)
    expect([1, 2, 3].map((a) => known.get({ a }, 'one'))).to.deep.equal([undefined, 60, undefined])
  })
})

describe('what is made of instructions', () => {
  const made = (tenant: string) =>
    instructionsOf('Never tell anybody about it.', ['anybody'], new Pacer(testCall({ tenant })))

  it('is made once for a tenant, and for no other', async () => {
    const one = await made('one')
    expect(await made('one')).to.equal(one)
    expect(await made('other')).to.not.equal(one)
  })
})
