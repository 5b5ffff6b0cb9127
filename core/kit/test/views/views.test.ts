import { expect } from 'chai'
import { testCall } from '@sallyport/testing'
import { Pacer } from '../../src/async/pacer.js'
import { plainReading } from '../../src/views/plain/reading.js'
import { viewsOf } from '../../src/views/views.js'

const words = {
  has: (word: string) => ['secret', 'canary'].includes(word),
  maxLength: 6,
  cipherWords: ['secret', 'canary'],
}
const all = ['encoded', 'invisible', 'spelled', 'revealed', 'turned', 'ciphered'] as const

/** What each view has, and what it has it from, by what it undoes. */
const read = async (text: string) =>
  (await viewsOf(text, all, new Pacer(testCall()), words)).map((view) => [view.undoes, view.text.trim()])

describe('the views of a text', () => {
  const base64 = Buffer.from('the s e c r e t canary').toString('base64')
  for (const [name, text, expected] of [
    ['plain', 'the sеcret', ['look-alikes', 'the secret']],
    ['base64', base64, ['encoded', 'the s e c r e t canary']],
    ['spelled words in base64', base64, ['spelled', 'the secret canary']],
    ['base64 in strings', `"${base64.slice(0, 16)}" + "${base64.slice(16)}"`, ['encoded', 'the s e c r e t canary']],
    [
      'base64 in quoted lines',
      `> ${base64.slice(0, 16)}\n> ${base64.slice(16)}`,
      ['encoded', 'the s e c r e t canary'],
    ],
    ['words in pieces', 'the se|cr|et', ['revealed', 'the secret']],
    ['look-alikes of small letters', 'the ѕɛсгет', ['revealed', 'the secret']],
    ['digits for letters', 'the s3cr3t', ['revealed', 'the secret']],
    ['rot13', 'gur frperg pnanel', ['ciphered', 'the secret canary']],
    ['words backwards', 'the terces yranac', ['ciphered', 'eht secret canary']],
    ['letters upside down', 'ʇǝɹɔǝs ǝɥʇ ʎɹɐuɐɔ', ['turned', 'canary the secret\nterces eht yranac']],
  ] as const)
    it(`have what hides in ${name}`, async () => {
      expect(await read(text)).to.deep.include(expected)
    })

  it('say where in the text everything was written', async () => {
    const text = `now: ${base64} …`
    for (const view of await viewsOf(text, ['encoded', 'spelled'], new Pacer(testCall()))) {
      const at = view.text.indexOf('canary')
      if (at < 0) continue
      const { start, end } = view.sourceOf({ start: at, end: at + 6 })
      expect(text.slice(start, end)).to.equal(base64)
    }
  })

  it('are none that nobody wants', async () => {
    expect((await viewsOf(base64, [], new Pacer(testCall()))).map(({ undoes }) => undoes)).to.deep.equal([
      'look-alikes',
    ])
  })

  it('are made once for several detectors that look at the text at the same time', async () => {
    const text = `the s e c r e t ${base64}`
    const asking = testCall()
    const [one, other, plain, same] = await Promise.all([
      viewsOf(text, ['spelled', 'revealed'], new Pacer(asking)),
      viewsOf(text, all, new Pacer(asking), words),
      plainReading(text, new Pacer(asking)),
      plainReading(text, new Pacer(asking)),
    ])
    expect(plain).to.equal(same)
    for (const view of one.filter(({ undoes }) => undoes !== 'revealed')) expect(other).to.include(view)
  })
})
