import { expect } from 'chai'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from '@sallyport/testing'
import { RecentReferences } from '../src/factuality/recent-references.js'

describe('references that were read lately', () => {
  it('are read once for a tenant, and for no other', async () => {
    const references = new RecentReferences()
    const read = (tenant: string) => references.read('The bridge was built in 1904.', new Pacer(testCall({ tenant })))
    const one = await read('one')
    expect(await read('one')).to.equal(one)
    expect(await read('other')).to.not.equal(one)
  })
})
