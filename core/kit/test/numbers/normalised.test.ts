import { expect } from 'chai'
import { normalised } from '../../src/numbers/normalised.js'

describe('a normalised vector', () => {
  const cases: [string, ArrayLike<number>, number[]][] = [
    ['has length 1', [3, 4], [0.6, 0.8]],
    ['has it when it is tiny', [3e-30, 4e-30], [0.6, 0.8]],
    ['of zeros stays as it is', new Float32Array(2), [0, 0]],
    ['of nothing is empty', [], []],
  ]
  for (const [name, vector, expected] of cases)
    it(name, () => {
      expect([...normalised(vector)]).to.deep.equal([...Float32Array.from(expected)])
    })

  it('may have a million numbers', () => {
    expect(normalised(new Float32Array(1_000_000).fill(1))[0]).to.be.closeTo(0.001, 1e-9)
  })
})
