import { expect } from 'chai'
import { callsAreRight, namesAreRight, objectIn } from './function-calls.js'

const truth = [{ area: { radius: [3, 3.0], unit: ['m', ''] } }]
const call = (name: string, given: object) => ({ name, arguments: JSON.stringify(given) })

describe('calls compared with the truth', () => {
  const cases: [what: string, calls: { name: string; arguments: string }[], names: boolean, all: boolean][] = [
    ['the same', [call('area', { radius: 3, unit: 'm' })], true, true],
    ['without what may be left out', [call('area', { radius: 3 })], true, true],
    ['other case and punctuation', [call('area', { radius: 3, unit: ' M.' })], true, true],
    ['a wrong value', [call('area', { radius: 4 })], true, false],
    ['a missing value', [call('area', { unit: 'm' })], true, false],
    ['an argument too many', [call('area', { radius: 3, colour: 'red' })], true, false],
    ['no JSON', [{ name: 'area', arguments: '{"radius": 3' }], true, false],
    ['another function', [call('volume', { radius: 3 })], false, false],
    ['a call too many', [call('area', { radius: 3 }), call('area', { radius: 3 })], false, false],
    ['no call', [], false, false],
  ]
  for (const [what, calls, names, all] of cases)
    it(what, () => {
      expect(namesAreRight(calls, truth)).to.equal(names)
      expect(callsAreRight(calls, truth)).to.equal(all)
    })

  it('takes objects only for arguments', () => {
    expect(['{}', '[]', '1', 'null', '{'].map((text) => objectIn(text) !== undefined)).to.deep.equal([
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
