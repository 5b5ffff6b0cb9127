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
  '... 12.5 % (!)',
  '',
]

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
