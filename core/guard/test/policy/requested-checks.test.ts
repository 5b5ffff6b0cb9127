/** What callers ask the safeguards for. */

import { expect } from 'chai'
import { isSallyportError, scoreCheck, spanCheck } from '@sallyport/core'
import type { Check, PolicyEntry, Policy } from '@sallyport/core'
import { validateRequestedChecks } from '../../src/index.js'

const stages = { input: 'Looks at what goes in.', output: 'Looks at what comes out.' }
const mood = scoreCheck('mood', { stages, order: 1, message: 'bad mood' })
const names = spanCheck('names', { stages, order: 2, message: 'a name', methods: ['mask', 'category'] })
const checks = new Map<string, Check>([mood, names].map((check) => [check.name, check]))
const entry = (check: string): PolicyEntry => ({
  ...{ check, mode: 'enforce', onFailure: 'block', threshold: 0.5, budget: 100 },
})
const callerPolicy: Policy = {
  input: { mood: entry('mood'), names: entry('names') },
  output: { mood: entry('mood'), people: entry('names') },
}

describe('requested checks', () => {
  const fine: object[] = [
    {},
    { input: {}, output: undefined },
    { input: { mood: true, names: false }, output: { mood: undefined } },
    { input: { names: 'block' }, output: { people: 'replace' } },
    { input: { names: { action: 'replace', method: 'mask', ignore: ['PERSON'] } } },
    { output: { people: { action: 'block' } } },
  ]
  for (const requested of fine)
    it(`are taken as they are: ${JSON.stringify(requested)}`, () => {
      expect(validateRequestedChecks(requested, callerPolicy, checks)).to.equal(requested)
    })

  const action = 'must be true, false, "block", "replace" or an object'
  const refused: [requested: unknown, field: string, problem: string][] = [
    ['block', 'safeguards', 'must be an object'],
    [null, 'safeguards', 'must be an object'],
    [{ inputs: {} }, 'safeguards.inputs', 'is unknown: did you mean "input"?'],
    [{ input: true }, 'safeguards.input', 'must be an object'],
    [{ input: { moood: true } }, 'safeguards.input.moood', 'is not a known check: did you mean "mood"?'],
    [{ input: { people: true } }, 'safeguards.input.people', 'is an output check: request it under output'],
    [{ output: { names: true } }, 'safeguards.output.names', 'is an input check: request it under input'],
    [{ input: { toString: true } }, 'safeguards.input.toString', 'is not a known check: there are "mood", "names"'],
    [{ input: { mood: 'block' } }, 'safeguards.input.mood', 'must be true or false'],
    [{ input: { mood: { action: 'block' } } }, 'safeguards.input.mood', 'must be true or false'],
    [{ input: { names: 'hide' } }, 'safeguards.input.names', action],
    [{ input: { names: ['block'] } }, 'safeguards.input.names', action],
    [{ input: { names: null } }, 'safeguards.input.names', action],
    [{ input: { names: {} } }, 'safeguards.input.names', 'must have an action: "block" or "replace"'],
    [
      { input: { names: { action: 'block', methods: 'mask' } } },
      'safeguards.input.names',
      'has an unknown field "methods": did you mean "method"?',
    ],
    [
      { input: { names: { action: 'replace', method: 'fake' } } },
      'safeguards.input.names',
      'must have one of these methods: mask, category',
    ],
    [
      { input: { names: { action: 'block', ignore: 'PERSON' } } },
      'safeguards.input.names',
      'must have a list of finding types in ignore',
    ],
    [
      { input: { names: { action: 'block', ignore: [1] } } },
      'safeguards.input.names',
      'must have a list of finding types in ignore',
    ],
  ]
  for (const [requested, field, problem] of refused)
    it(`are refused with their field: ${JSON.stringify(requested)}`, () => {
      let thrown: unknown
      try {
        validateRequestedChecks(requested, callerPolicy, checks)
      } catch (error) {
        thrown = error
      }
      expect(isSallyportError(thrown) && thrown.code).to.equal('invalid_request')
      expect((thrown as { details?: object }).details).to.deep.equal({ field, problem })
    })
})
