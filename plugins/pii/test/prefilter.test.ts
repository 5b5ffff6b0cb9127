import { cs_CZ, da, de, en, en_IN, es, fi, fr, hr, hu, it as italian, nb_NO, nl, pl, pt_BR, sv } from '@faker-js/faker'
import type { LocaleDefinition } from '@faker-js/faker'
import { expect } from 'chai'
import fc from 'fast-check'
import { mayName } from '../src/model/prefilter.js'
import data from './data/names.json' with { type: 'json' }

const { passes: harmless, asks: wanted } = data.gate

const locales = [en, en_IN, de, fr, es, italian, nl, pt_BR, sv, da, nb_NO, fi, pl, cs_CZ, hr, hu]
const known = locales.flatMap(({ person }: LocaleDefinition) =>
  [person?.first_name, person?.last_name].flatMap((names) =>
    [names?.generic, names?.female, names?.male].flatMap((some) => some ?? []),
  ),
)

describe('the gate before a model of names', () => {
  for (const text of harmless)
    it(`lets pass ${JSON.stringify(text)}`, () => {
      expect(mayName(text)).to.equal(false)
    })

  for (const [name, text] of Object.entries(wanted))
    it(`asks for ${name}`, () => {
      expect(mayName(text)).to.equal(true)
    })

  for (const verb of ['met', 'told'])
    it(`asks for every name that is known, whatever else it is, behind "${verb}"`, () => {
      const passed = known.filter(
        (name) => !mayName(`I ${verb} ${name.slice(0, 1).toUpperCase()}${name.slice(1)} today.`),
      )
      expect(known).to.have.length.above(10_000)
      expect(passed).to.deep.equal([])
    })

  it('asks for an unknown word anywhere in anything', () => {
    const words = fc.array(fc.constantFrom(...harmless.flatMap((text) => text.split(' '))), { maxLength: 8 })
    fc.assert(
      fc.property(
        words,
        fc.constantFrom('quuxa', 'Quuxa', 'QUUXABOR', 'Zoë', 'Berlin', 'lindqvist'),
        words,
        (a, name, b) => mayName([...a, name, ...b].join(' ')),
      ),
    )
  })
})
