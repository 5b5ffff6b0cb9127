import { expect } from 'chai'
import type { PolicyEntry as EntryPolicy, RequestedChecks } from '@sallyport/core'
import { callerChecks, joinPolicies } from '../../src/policy/effective-policy.js'
import { activeChecks, noChecks } from '../support.js'
import type { PolicyEntry, PiiPolicy, Policy } from '../support.js'

const check: PolicyEntry = { mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 100 }
const pii: PiiPolicy = { ...check, action: 'replace', method: 'fake', ignore: [] }
const forCallers = (name: string): EntryPolicy => ({ check: name, ...check })
const piiForCallers: EntryPolicy = { ...forCallers('pii'), threshold: 0, method: 'fake' }
const template = {
  input: { injection: forCallers('injection'), pii: piiForCallers },
  output: {
    ...{ injection: forCallers('injection'), pii: piiForCallers },
    ...{ toxicity: forCallers('toxicity'), factuality: forCallers('factuality') },
  },
}
const policy = (parts: Partial<Policy>): Policy => ({ ...noChecks, ...parts })
const inputPii = (change: Partial<PiiPolicy>) => policy({ input: { pii: { ...pii, ...change } } })

/** What holds where both do, by names. */
const joined = (a: Policy, b: Policy) => {
  const { input, output } = joinPolicies(activeChecks(a, {}), activeChecks(b, {}))
  const byName = (checks: typeof input) => Object.fromEntries(checks.map((one) => [one.name, one.entry]))
  return { input: byName(input), output: byName(output) }
}
const asked = (requested: Parameters<typeof callerChecks>[0]): Policy => policy(callerChecks(requested, template))

describe('joined policies', () => {
  const cases: { name: string; a: Policy; b: Policy; expected: Partial<PiiPolicy>; ordered?: true }[] = [
    { name: 'block beats replace', a: inputPii({}), b: inputPii({ action: 'block' }), expected: { action: 'block' } },
    {
      name: 'the lower threshold holds',
      a: inputPii({ threshold: 0.8 }),
      b: inputPii({ threshold: 0.3 }),
      expected: { threshold: 0.3 },
    },
    ...(
      [
        [true, false, false],
        [true, undefined, true],
        [{ servers: ['crm', 'blog'] }, { servers: ['crm', 'shop'] }, { servers: ['crm'] }],
        [{ servers: ['crm'] }, true, true],
        [{ servers: ['crm'] }, undefined, { servers: ['crm'] }],
      ] as const
    ).map(([one, other, restore]) => ({
      name: `only what both restore is restored: ${JSON.stringify([one, other])}`,
      a: inputPii({ restore: one }),
      b: inputPii(other === undefined ? {} : { restore: other }),
      expected: { restore },
    })),
    {
      name: 'failing closed beats failing open',
      a: inputPii({ onFailure: 'open' }),
      b: inputPii({}),
      expected: { onFailure: 'block' },
    },
    {
      name: 'a type is ignored only where both ignore it',
      a: inputPii({ ignore: ['URL', 'PERSON'] }),
      b: inputPii({ ignore: ['URL'] }),
      expected: { ignore: ['URL'] },
    },
    {
      name: 'a threshold in shadow does not count',
      a: inputPii({ threshold: 0.9 }),
      b: inputPii({ threshold: 0.1, mode: 'shadow' }),
      expected: { threshold: 0.9, mode: 'enforce' },
    },
    {
      name: 'enforcement beats shadow, with its own action',
      a: inputPii({ mode: 'shadow', action: 'block' }),
      b: inputPii({}),
      expected: { mode: 'enforce', action: 'replace' },
    },
    {
      name: 'the first one’s method of replacement holds',
      a: inputPii({}),
      b: inputPii({ method: 'mask' }),
      expected: { method: 'fake' },
      ordered: true,
    },
  ]
  for (const { name, a, b, expected, ordered } of cases)
    it(name, () => {
      expect(joined(a, b).input['pii']).to.deep.include(expected)
      if (!ordered) expect(joined(b, a).input['pii']).to.deep.include(expected)
    })

  it('holds the checks of both', () => {
    const both = joined(policy({ input: { injection: check } }), policy({ output: { toxicity: check } }))
    expect(both.input['injection']).to.deep.include(check)
    expect(both.output['toxicity']).to.deep.include(check)
  })

  it('a caller’s entity list relaxes nothing of the operator’s', () => {
    const caller = asked({ input: { pii: { action: 'replace', ignore: ['PERSON'] } } })
    expect(joined(inputPii({}), caller).input['pii']?.ignore).to.deep.equal([])
  })

  it('have to pass both where they ask for different things', () => {
    const one = inputPii({ detectors: [{ model: 'a', threshold: 0.5 }] })
    const { input } = joinPolicies(activeChecks(one, {}), activeChecks(inputPii({ options: { words: ['x'] } }), {}))
    expect(input.map(({ name }) => name)).to.deep.equal(['pii', 'pii'])
  })

  it('have to pass both where the scores of the same detectors are on two scales', () => {
    const on = (threshold: number) => inputPii({ threshold, detectors: [{ model: 'a', threshold: 0.9 }] })
    const { input } = joinPolicies(activeChecks(on(0.7), {}), activeChecks(on(0.5), {}))
    expect(input.map(({ entry }) => entry.threshold)).to.deep.equal([0.7, 0.5])
  })
})

describe('checks that a caller requests', () => {
  it('are nothing when nothing is asked', () => {
    for (const injection of [false, undefined])
      expect(callerChecks({ input: { injection } } as RequestedChecks, template)).to.deep.equal({
        input: {},
        output: {},
      })
  })
  it('turn on what is asked, with the caller’s method and list', () => {
    const wanted = asked({
      input: { pii: { action: 'block', method: 'mask', ignore: ['URL'] } },
      output: { toxicity: true },
    })
    expect(wanted.input['pii']).to.deep.include({ action: 'block', method: 'mask', ignore: ['URL'] })
    expect(wanted.output).to.have.all.keys('toxicity')
  })
  it('are enforced, and block where the detector fails', () => {
    const { input, output } = asked({
      input: { injection: true, pii: 'replace' },
      output: { toxicity: true, factuality: true },
    })
    for (const wanted of [input['injection'], input['pii'], output['toxicity'], output['factuality']])
      expect(wanted).to.include({ mode: 'enforce', onFailure: 'block', budget: 100 })
  })
  it('block what has nothing to agree with where one of both does', () => {
    const strict = policy({ output: { factuality: { ...check, unreferenced: 'block' } } })
    const mild = policy({ output: { factuality: { ...check, unreferenced: 'pass' } } })
    for (const [one, other] of [
      [strict, mild],
      [mild, strict],
    ] as const)
      expect(joined(one, other).output['factuality']?.unreferenced).to.equal('block')
    expect(joined(mild, mild).output['factuality']?.unreferenced).to.equal('pass')
  })
  it('tighten the operator’s check of the same name to the lower threshold', () => {
    const caller = asked({ input: { injection: true } })
    const operator = policy({ input: { injection: { ...check, threshold: 0.9 } } })
    expect(joined(operator, caller).input['injection']?.threshold).to.equal(0.5)
  })
})
