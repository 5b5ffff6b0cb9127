import { expect } from 'chai'
import { prose } from '../bench/guard/prose.js'

describe('prose of the benchmark', () => {
  it('has the length that was asked for, many times over', () => {
    const texts = prose(1000)
    expect(texts).to.have.length.above(5)
    for (const text of texts) expect(text).to.have.length(1000)
  })
})
