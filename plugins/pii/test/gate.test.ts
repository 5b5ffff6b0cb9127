import { cs_CZ, da, de, en, en_IN, es, fi, fr, hr, hu, it as italian, nb_NO, nl, pl, pt_BR, sv } from '@faker-js/faker'
import type { LocaleDefinition } from '@faker-js/faker'
import { expect } from 'chai'
import fc from 'fast-check'
import { mayName } from '../src/model/gate.js'

const harmless = [
  'You can also add a pinch of salt to the water.',
  "However, it's better to wait; that doesn't take long.",
  'The meeting is on Monday, in March or October.',
  '### Step 2: Boil the Water',
  '- **Strength**: lifts, squats and presses',
  'const total = items.length + maxCount',
  'The function getUserName() returns a string, e.g. in `utf8`.',
  'Add 250 g of flour and 2 eggs.',
  'Das ist nicht so einfach, aber es geht.',
  'Das dauert eine Woche oder ein Jahr.',
  'Ce n’est pas la même chose.',
  'No es lo mismo, pero es mejor.',
  'How do I install Docker?',
  'How do I update macOS on a Monday?',
  'The English translation calls getMaxLength and snake_case in sha256.',
  '... 12.5 % (!)',
  '{"id":12,"price":10423,"note":"a note","ok":true}',
  'id,total,count\n10423,99887,1\n20881, 77665, 2',
  '2024-05-01T12:00:00Z INFO request method=GET price=12',
  'the ratio is 0.1000000000000000055',
  'set(quuxa(1), Quuxa<int>())',
  '',
]

const locales = [en, en_IN, de, fr, es, italian, nl, pt_BR, sv, da, nb_NO, fi, pl, cs_CZ, hr, hu]
const known = locales.flatMap(({ person }: LocaleDefinition) =>
  [person?.first_name, person?.last_name].flatMap((names) =>
    [names?.generic, names?.female, names?.male].flatMap((some) => some ?? []),
  ),
)

const wanted = [
  ['an unknown word', 'Then ask quuxa about it.'],
  ['a capital inside a sentence', 'Then ask Baker about it.'],
  ['a name where a sentence begins', 'Rose came late.'],
  ['a word that is a name, too, in a heading', '## Baker'],
  ['in capitals', 'Then ask ANNA about it.'],
  ['a title', 'Mr. Table came late.'],
  ['emphasis', 'Then ask _Anna_ about it.'],
  ['a name in a form of code', 'It is Anna_Baker here.'],
  ['a surname with a capital inside', 'McDonald came late.'],
  ['a row of digits', 'it is 99887766 here'],
  ['an address', '12 main street'],
  ['words that are names, too, where capitals mean nothing', 'i met rose today'],
  ['what is introduced as a name', 'Hello, my name is rose'],
  ['other scripts', 'Then ask Ωμέγα about it.'],
  ['look-alikes', 'Then ask Αnna about it.'],
  ['a name of a people', 'I met Christian yesterday.'],
  ['a name of a people where a sentence begins', 'Christian told me about it.'],
  ['a name of an adjective', 'Roman is my boss.'],
  ['a name of a language', 'German called.'],
  ['somebody who is called as software is', 'Angular is my son'],
  ['somebody called as software is, whom one meets', 'I met Angular yesterday.'],
  ['a surname behind a particle', 'deSilva is here'],
  ['an unknown surname behind a particle', 'vanDyke asked'],
  ['a name with a number', 'the user jane2 is here'],
  ['names written together', 'the user annaSmith is here'],
  ['a name in a value', '{"note":"rose came"}'],
  ['a name that is a key', '{"lindqvist":3}'],
  ['a number that is somebody’s in a list', '{"account":99887766,"passport":[99887766]}'],
  ['a row of digits behind a day', 'on 2024-05-01 99887766'],
  ['a name in capitals where all is', 'PLEASE ASK BAKER'],
  ['names joined by a line', 'the user anna_smith is here'],
] as const

describe('the gate before a model of names', () => {
  for (const text of harmless)
    it(`lets pass ${JSON.stringify(text)}`, () => {
      expect(mayName(text)).to.equal(false)
    })

  for (const [name, text] of wanted)
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
