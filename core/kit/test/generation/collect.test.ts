import { expect } from 'chai'
import { usageOfRequests } from '../../src/generation/collect.js'

describe('the usage of several requests', () => {
  const usage = { promptTokens: 1, completionTokens: 2 }

  it('states what was reported, and nothing else', () => {
    expect(usageOfRequests([usage, undefined, usage])).to.deep.equal({ promptTokens: 2, completionTokens: 4 })
    expect(usageOfRequests([usage, { ...usage, cachedTokens: 3 }])).to.deep.equal({
      promptTokens: 2,
      completionTokens: 4,
      cachedTokens: 3,
    })
    expect(usageOfRequests([undefined])).to.equal(undefined)
  })
})
