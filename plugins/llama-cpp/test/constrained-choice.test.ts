import { expect } from 'chai'
import fc from 'fast-check'
import { randomNumbers } from '@sallyport/kit/numbers'
import { chooseAdmitted } from '../src/engine/constrained-choice.js'

type Sampling = Parameters<typeof chooseAdmitted>[2]
type Shares = readonly (readonly [token: number, probability: number])[]

const draws = 4000

/** How often each token is chosen, of 1. */
const sharesOf = (candidates: Shares, admitted: readonly number[], sampling: Sampling): Map<number, number> => {
  const random = randomNumbers(7)
  const shares = new Map<number, number>()
  for (let draw = 0; draw < draws; draw += 1) {
    const token = chooseAdmitted(candidates.flat(), (each) => admitted.includes(each), sampling, random)
    if (token !== undefined) shares.set(token, (shares.get(token) ?? 0) + 1 / draws)
  }
  return shares
}

describe('the choice among the admitted', () => {
  const candidates: Shares = [
    [1, 0.5],
    [2, 0.2],
    [3, 0.15],
    [4, 0.1],
    [5, 0.05],
  ]

  const cases: [what: string, admitted: number[], sampling: Sampling, expected: Record<number, number>][] = [
    ['is the most probable one without a temperature', [3, 4, 5], { temperature: 0 }, { 3: 1 }],
    ['is by the shares that the admitted have', [2, 4], { temperature: 1 }, { 2: 2 / 3, 4: 1 / 3 }],
    ['is among so many of the admitted', [2, 4, 5], { temperature: 1, topK: 2 }, { 2: 2 / 3, 4: 1 / 3 }],
    ['is within the share of the admitted', [2, 3, 4, 5], { temperature: 1, topP: 0.69 }, { 2: 4 / 7, 3: 3 / 7 }],
    ['is the first where the share is nothing', [2, 3], { temperature: 1, topP: 0 }, { 2: 1 }],
    ['is not below a part of the best admitted', [2, 3, 4, 5], { temperature: 1, minP: 0.7 }, { 2: 4 / 7, 3: 3 / 7 }],
    ['is the only one', [5], { temperature: 1, topP: 0.1, minP: 0.9, topK: 1 }, { 5: 1 }],
    ['is nothing where none is admitted', [], { temperature: 1 }, {}],
    ['is nothing where none is admitted, and no chance', [6], { temperature: 0 }, {}],
  ]
  for (const [what, admitted, sampling, expected] of cases) {
    it(what, () => {
      const shares = sharesOf(candidates, admitted, sampling)
      expect([...shares.keys()].sort()).to.deep.equal(Object.keys(expected).map(Number))
      for (const [token, share] of shares) expect(share).to.be.closeTo(expected[token]!, 0.03)
    })
  }

  it('cuts off the improbable as if there were no temperature', () => {
    // at the temperature 2 the shares of 0.64, 0.32 and 0.04 are as their square roots
    const roots = [0.64, 0.32, 0.04].map(Math.sqrt)
    const sum = roots.reduce((total, root) => total + root, 0)
    const flat: Shares = roots.map((root, token) => [token, root / sum])
    expect([...sharesOf(flat, [0, 1, 2], { temperature: 2, topP: 0.9 }).keys()].sort()).to.deep.equal([0, 1])
    expect([...sharesOf(flat, [0, 1, 2], { temperature: 2, minP: 0.1 }).keys()].sort()).to.deep.equal([0, 1])
  })

  it('asks for no more candidates than matter', () => {
    const asked: number[] = []
    const admits = (token: number) => asked.push(token) > 0
    const many = [0, 0.9995, ...Array.from({ length: 100 }, (_, index) => [index + 1, 0.000005]).flat()]
    chooseAdmitted(many, admits, { temperature: 1 }, () => 0)
    expect(asked).to.deep.equal([0])
  })

  const distribution = fc
    .array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 })
    .map((weights): Shares => {
      const sum = weights.reduce((total, weight) => total + weight, 0)
      return weights.sort((a, b) => b - a).map((weight, token) => [token, weight / sum])
    })
  const sampling = fc.record({
    temperature: fc.constantFrom(0, 0.3, 1, 2),
    topK: fc.constantFrom(undefined, 1, 3),
    topP: fc.constantFrom(undefined, 0, 0.5, 0.95),
    minP: fc.constantFrom(undefined, 0.05, 0.5),
  })

  it('is always admitted, and there is one where any candidate is', () => {
    fc.assert(
      fc.property(
        distribution,
        sampling,
        fc.nat(4095),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (shares, { temperature, topK, topP, minP }, mask, random) => {
          const admits = (token: number) => (mask & (1 << token)) !== 0
          const given = {
            temperature,
            ...(topK === undefined ? {} : { topK }),
            ...(topP === undefined ? {} : { topP }),
            ...(minP === undefined ? {} : { minP }),
          }
          const token = chooseAdmitted(shares.flat(), admits, given, () => random)
          const admitted = shares.map(([each]) => each).filter(admits)
          if (admitted.length === 0) expect(token).to.equal(undefined)
          else expect(admitted).to.include(token)
        },
      ),
    )
  })

  it('has the shares of the distribution that is left', () => {
    fc.assert(
      fc.property(distribution, fc.nat(4095), (shares, mask) => {
        const admitted = shares.filter(([token]) => (mask & (1 << token)) !== 0)
        const sum = admitted.reduce((total, [, probability]) => total + probability, 0)
        const found = sharesOf(
          shares,
          admitted.map(([token]) => token),
          { temperature: 1 },
        )
        for (const [token, probability] of admitted)
          expect(found.get(token) ?? 0).to.be.closeTo(probability / sum, 0.04)
      }),
      { numRuns: 20, seed: 1 },
    )
  })
})
