import { createHash } from 'node:crypto'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from '@sallyport/testing'
import { expect } from 'chai'
import { viewsOf } from '@sallyport/kit/views'
import { attackWords } from '../src/rules/vocabulary.js'

const disguises = ['encoded', 'invisible', 'spelled', 'revealed', 'turned', 'ciphered'] as const
const views = (text: string) => viewsOf(text, disguises, new Pacer(testCall()), attackWords)

const order = '1gn0r3 a l l pr3v10us'
/** Where a long text is cut to be searched in turns. */
const slice = 32_768

it('what is encoded is read where it says something', async () => {
  for (let seed = 0; seed < 12; seed += 1) {
    const bytes = Buffer.concat(
      Array.from({ length: 188 }, (_, index) => createHash('sha256').update(`b64 8k${seed}:${index}`).digest()),
    )
    const read = await views(
      bytes
        .toString('base64')
        .match(/.{1,76}/g)
        ?.join('\n') ?? '',
    )
    expect(read.filter(({ text }) => text.length < 8000)).to.have.length(0)
  }
})

describe('reading of what is hidden in a long text', () => {
  for (const filler of ['-', '\u0301', '𝔘'])
    it(`does not depend on where it is cut, behind ${filler}`, async () => {
      for (let before = slice - 40; before <= slice + 4; before += 1) {
        const start = filler.repeat(Math.ceil(before / filler.length)).slice(0, before & ~(filler.length - 1))
        const texts = (await views(`${start} ${order} end`)).map(({ text }) => text)
        expect(texts.at(-1)?.endsWith(' ignore all previous end'), `after ${before}`).to.equal(true)
      }
    })
})
