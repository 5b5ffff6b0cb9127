import { expect } from 'chai'
import fc from 'fast-check'
import { findingsIn, openSpansIn, removedFrom } from './support.js'
import { textsWithLinks } from './texts.js'

/** As the chain does: pieces between places where a text may be cut, each with what stands before it. */
const removedInPieces = async (text: string, isTried: (at: number) => boolean): Promise<string> => {
  let [from, left] = [0, '']
  const leave = async (to: number) => {
    const piece = text.slice(from, to)
    left += await removedFrom(piece, {}, text.slice(Math.max(0, from - 256), from))
    from = to
  }
  for (let at = 1; at < text.length; at += 1) {
    const open = isTried(at) ? await openSpansIn(text.slice(0, at + 1)) : undefined
    if (open && !open.some(({ start, end }) => start < at && at < end)) await leave(at)
  }
  await leave(text.length)
  return left
}

describe('what is left of a text with links', () => {
  it('has none that would be found again, at once and in pieces', () =>
    fc.assert(
      fc.asyncProperty(textsWithLinks, fc.integer({ min: 1, max: 4 }), async (text, every) => {
        const whole = await removedFrom(text)
        expect(await findingsIn(whole), JSON.stringify([text, whole])).to.deep.equal([])
        const pieces = await removedInPieces(text, (at) => at % every === 0)
        expect(await findingsIn(pieces), JSON.stringify([text, pieces])).to.deep.equal([])
      }),
      { numRuns: 1500 },
    )).timeout(120_000)
})
