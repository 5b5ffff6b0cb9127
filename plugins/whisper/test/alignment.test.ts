import { expect } from 'chai'
import fc from 'fast-check'
import { tokenPositions } from '../src/decode/alignment.js'

/** One head, in which each token attends to the positions from its own one to the next. */
const attending = (begins: readonly number[], positions: number) => {
  const data = Float32Array.from({ length: begins.length * positions }, (_, at) => {
    const [token, place] = [Math.floor(at / positions), at % positions]
    return place >= begins[token]! && place < (begins[token + 1] ?? positions) ? 1 : 0.01
  })
  return { data, heads: 1, tokens: begins.length, positions }
}

describe('when tokens are said', () => {
  it('is where they attend to', () => {
    const begins = [0, 20, 45, 80]
    expect(tokenPositions(attending(begins, 100), 0, 100)).to.deep.equal(begins)
  })

  it('is asked from a token on', () => {
    expect(tokenPositions(attending([0, 20, 45, 80], 100), 1, 100).slice(1)).to.deep.equal([45, 80])
  })

  it('does not depend on what a head attends to in every token', () => {
    const { data, ...rest } = attending([0, 20, 45, 80], 100)
    const biased = data.map((value, at) => (at % 100 === 60 ? 50 : value))
    expect(tokenPositions({ ...rest, data: biased }, 0, 100)).to.deep.equal([0, 20, 45, 80])
  })

  it('is in order and within the sound, whatever the attention', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 8, max: 60 }),
        fc.nat(),
        (tokens, positions, seed) => {
          const data = Float32Array.from({ length: 2 * tokens * positions }, (_, at) => ((at * (seed % 97)) % 31) / 31)
          const found = tokenPositions({ data, heads: 2, tokens, positions }, 0, positions - 3)
          expect(found).to.have.length(tokens)
          for (const [index, place] of found.entries()) expect(place).to.be.within(found[index - 1] ?? 0, positions - 4)
        },
      ),
    ))
})
