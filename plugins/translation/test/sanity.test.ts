import { expect } from 'chai'
import type { Call } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import { copyGate, lengthGate, repetitionGate } from '../src/sanity/gates.js'
import { Sanity } from '../src/sanity/sanity.js'

const call = { signal: new AbortController().signal, tenant: '' } as Call

const english = 'The old man walked slowly to the harbour, where his two sons were waiting for the last ship.'
const german = 'Der alte Mann ging langsam zum Hafen, wo seine zwei Söhne auf das letzte Schiff warteten.'
const french = 'Le vieil homme marchait lentement vers le port, où ses deux fils attendaient le dernier bateau.'
const spanish = 'El anciano caminó despacio hasta el puerto, donde sus dos hijos esperaban el último barco.'
const catalan = 'L’ancià va caminar a poc a poc fins al port, on els seus dos fills esperaven l’últim vaixell.'
const japanese = '老人はゆっくりと港まで歩き、そこでは二人の息子が最後の船を待っていた。'
const russian = 'Старик медленно шёл в гавань, где двое его сыновей ждали последнего корабля.'

describe('the sanity score', () => {
  let sanity: Sanity
  before(async () => {
    sanity = await Sanity.load()
  })
  const score = (source: string, target: string, text: string, translation: string) =>
    sanity.score({ source, target, text, translation }, call)

  for (const [source, target, text, translation] of [
    ['en', 'de', english, german],
    ['de', 'fr', german, french],
    ['es', 'ca', spanish, catalan],
    ['en', 'ja', english, japanese],
    ['ja', 'en', japanese, english],
    ['ru', 'en', russian, english],
    ['en', 'ru', english, russian],
    ['en', 'de', 'Good morning', 'Guten Morgen'],
    ['en', 'de', 'Berlin', 'Berlin'],
    ['en', 'de', 'OK', 'OK'],
    ['en', 'de', 'Yes.', 'Ja.'],
    ['en', 'nb', 'The weather is nice today, is it not?', 'Været er fint i dag, er det ikke?'],
    ['en', 'id', 'The weather is very nice today, is it not?', 'Cuacanya sangat bagus hari ini, bukan?'],
    ['en', 'zh-Hant', 'The weather is very nice today.', '今天天氣很好。'],
    ['en', 'sr', 'The weather is very nice today.', 'Време је данас веома лепо.'],
    ['en', 'de', 'No, no, no, no!', 'Nein, nein, nein, nein!'],
    ['en', 'de', '{name} https://a.org 12', '{name} https://a.org 12'],
    ['en', 'eo', 'The weather is nice today.', 'La vetero estas bela hodiaŭ.'],
  ] as const)
    it(`lets ${translation} pass for ${target}`, async () => {
      expect(await score(source, target, text, translation)).to.be.at.least(0.6)
    })

  for (const [name, source, target, text, translation] of [
    ['a copy', 'en', 'de', english, english],
    ['a copy in another script’s place', 'en', 'ja', 'Good morning', 'Good morning'],
    ['another language', 'en', 'de', english, french],
    ['nothing', 'en', 'de', english, ''],
    ['a cut', 'en', 'de', `${english} ${english}`.repeat(2), 'Der alte Mann ging'],
    ['much more', 'en', 'de', 'Good morning.', german.repeat(3)],
    [
      'circles',
      'en',
      'de',
      english,
      'Der alte Mann ging zum Hafen und ging zum Hafen und ging zum Hafen und ging zum Hafen und',
    ],
    ['one letter again and again', 'en', 'de', english, 'a '.repeat(45)],
    ['punctuation', 'en', 'de', english, '. . . , . .'],
    ['half of it untranslated', 'en', 'de', `${english} It was cold and it rained.`, `Der alte Mann. ${english}`],
  ] as const)
    it(`tells ${name}`, async () => {
      expect(await score(source, target, text, translation)).to.be.below(0.5)
    })

  it('leaves the event loop to others while it compares the lengths of long texts, to their ends', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1))
    const [long, cut] = [`${english} `.repeat(10_000), `${german} `.repeat(1500)]
    expect(await score('en', 'de', long, cut)).to.equal(0)
    clearInterval(counting)
    expect(turns).to.be.at.least(3)
  })
})

describe('the gates', () => {
  it('are between 0 and 1 for whatever comes', async () => {
    const pacer = new Pacer(call)
    for (const gate of [copyGate, lengthGate, repetitionGate])
      for (const text of ['', 'a', english, 'x'.repeat(5000), 'a b '.repeat(500)])
        for (const translation of ['', 'b', german, 'y '.repeat(5000)])
          expect(await gate(text, translation, pacer)).to.be.within(0, 1)
  })
})
