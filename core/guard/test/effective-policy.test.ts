import { expect } from 'chai'
import type { CheckPolicy, PiiPolicy, Policy } from '@sallyport/core'
import { callerPolicy, isEmpty, joinPolicies, noChecks } from '../src/effective-policy.js'

const check: CheckPolicy = { mode: 'enforce', threshold: 0.5, onFailure: 'block', budget: 100 }
const pii: PiiPolicy = { ...check, action: 'replace', method: 'fake', ignore: [] }
const forCallers = { threshold: 0.5, budget: 100 }
const piiForCallers = { ...forCallers, method: 'fake' } as const
const template = {
  input: { injection: forCallers, pii: piiForCallers },
  output: { injection: forCallers, pii: piiForCallers, toxicity: forCallers, factuality: forCallers },
}
const policy = (parts: Partial<Policy>): Policy => ({ ...noChecks, name: 'a', ...parts })
const inputPii = (change: Partial<PiiPolicy>) => policy({ input: { pii: { ...pii, ...change } } })

describe('joined policies', () => {
  const cases: { name: string; a: Policy; b: Policy; expected: Partial<PiiPolicy> }[] = [
    { name: 'block beats replace', a: inputPii({}), b: inputPii({ action: 'block' }), expected: { action: 'block' } },
    {
      name: 'the lower threshold holds',
      a: inputPii({ threshold: 0.8 }),
      b: inputPii({ threshold: 0.3 }),
      expected: { threshold: 0.3 },
    },
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
    },
  ]
  for (const { name, a, b, expected } of cases)
    it(name, () => {
      expect(joinPolicies(a, b).input.pii).to.deep.include(expected)
      if (name !== 'the first one’s method of replacement holds')
        expect(joinPolicies(b, a).input.pii).to.deep.include(expected)
    })

  it('holds the checks of both', () => {
    const joined = joinPolicies(policy({ input: { injection: check } }), policy({ output: { toxicity: check } }))
    expect(joined.input.injection).to.deep.equal(check)
    expect(joined.output.toxicity).to.deep.equal(check)
  })

  it('a caller’s entity list relaxes nothing of the operator’s', () => {
    const caller = callerPolicy({ pii: 'replace', entityList: ['PERSON'] }, template)
    expect(joinPolicies(inputPii({}), caller).input.pii?.ignore).to.deep.equal([])
  })
})

describe('a caller’s wishes', () => {
  it('are nothing when nothing is asked', () => {
    expect(isEmpty(callerPolicy({ injection: false }, template))).to.equal(true)
  })
  it('turn on what is asked, with the caller’s method and list', () => {
    const wanted = callerPolicy(
      { pii: 'block', piiReplaceMethod: 'mask', entityList: ['URL'], toxicity: true },
      template,
    )
    expect(wanted.input.pii).to.deep.include({ action: 'block', method: 'mask', ignore: ['URL'] })
    expect(wanted.output).to.have.all.keys('toxicity')
  })
  it('are enforced, and block where the detector fails', () => {
    const { input, output } = callerPolicy(
      { injection: true, pii: 'replace', toxicity: true, factuality: true },
      template,
    )
    for (const wanted of [input.injection, input.pii, output.toxicity, output.factuality])
      expect(wanted).to.include({ mode: 'enforce', onFailure: 'block', threshold: 0.5, budget: 100 })
  })
  it('block what has nothing to agree with where one of both does', () => {
    const strict = policy({ output: { factuality: { ...check, unreferenced: 'block' } } })
    const mild = policy({ output: { factuality: { ...check, unreferenced: 'pass' } } })
    for (const [one, other] of [
      [strict, mild],
      [mild, strict],
    ] as const)
      expect(joinPolicies(one, other).output.factuality?.unreferenced).to.equal('block')
    expect(joinPolicies(mild, mild).output.factuality?.unreferenced).to.equal('pass')
  })
  it('tighten the operator’s check of the same name to the lower threshold', () => {
    const caller = callerPolicy({ injection: true }, template)
    const operator = policy({ input: { injection: { ...check, threshold: 0.9 } } })
    expect(joinPolicies(operator, caller).input.injection?.threshold).to.equal(0.5)
  })
  it('look at what comes out where the input is no text', () => {
    const wanted = callerPolicy({ pii: 'block', injection: true, stage: 'output' }, template)
    expect(wanted.input).to.deep.equal({})
    expect(wanted.output).to.have.all.keys('injection', 'pii')
    expect(wanted.output.pii?.action).to.equal('block')
  })
})
