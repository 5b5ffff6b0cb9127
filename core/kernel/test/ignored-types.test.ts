/** Types of findings that policies ignore. */

import { expect } from 'chai'
import { parseConfig } from '@sallyport/config'
import type { PolicyEntry, Config } from '@sallyport/core'
import { unknownIgnoredTypes } from '../src/checks/policy-problems.js'

const typesOfModels: Readonly<Record<string, readonly string[] | undefined>> = {
  first: ['PERSON', 'URL'],
  second: ['BADGE'],
  taciturn: undefined,
}
const typesOf = ({ detectors }: PolicyEntry) =>
  (detectors ?? [{ model: 'first' }]).map(({ model }) => typesOfModels[model])

const config = (entry: Partial<PolicyEntry>): Config => {
  const policy = { check: 'pii', mode: 'enforce', onFailure: 'block', threshold: 0.5, budget: 100, ...entry } as const
  return { ...parseConfig({}, '/'), policies: { strict: { input: {}, output: { pii: policy } } } }
}
const asking = (...models: string[]) => ({ detectors: models.map((model) => ({ model, threshold: 0.5 })) })

describe('types that a policy ignores', () => {
  const known: [what: string, entry: Partial<PolicyEntry>][] = [
    ['those of the first detector where none is named', { ignore: ['PERSON', 'URL'] }],
    ['none', asking('second')],
    ['those of the detector that is named', { ...asking('second'), ignore: ['BADGE'] }],
    ['those of any detector that is named', { ...asking('first', 'second'), ignore: ['URL', 'BADGE'] }],
    ['anything where a detector does not say', { ...asking('first', 'taciturn'), ignore: ['ANYTHING'] }],
    ['anything where there is no detector', { ...asking('gone'), ignore: ['ANYTHING'] }],
  ]
  for (const [what, entry] of known)
    it(`may be ${what}`, () => {
      expect(unknownIgnoredTypes(config(entry), typesOf)).to.deep.equal([])
    })

  const unknown: [what: string, entry: Partial<PolicyEntry>, problem: string][] = [
    [
      'of another detector',
      { ignore: ['BADGE'] },
      'no detector of this entry finds the entity type "BADGE": there are "PERSON", "URL"',
    ],
    [
      'of the first one',
      { ...asking('second'), ignore: ['URL'] },
      'no detector of this entry finds the entity type "URL": there are "BADGE"',
    ],
    [
      'that is misspelt',
      { ...asking('first', 'second'), ignore: ['BADGES'] },
      'no detector of this entry finds the entity type "BADGES": did you mean "BADGE"?',
    ],
  ]
  for (const [what, entry, problem] of unknown)
    it(`may not be one ${what}, and its place is reported`, () => {
      const path = ['policies', 'strict', 'output', 'pii', 'ignore', 0]
      expect(unknownIgnoredTypes(config(entry), typesOf)).to.deep.equal([{ path, problem }])
    })
})
