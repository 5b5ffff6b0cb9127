import { expect } from 'chai'
import fc from 'fast-check'
import { StopGate } from '../../src/reference/stop-gate.js'

/** Few letters, so that stop texts occur, overlap and almost occur. */
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength })

const throughGate = (pieces: readonly string[], stop: readonly string[]) => {
  const gate = new StopGate(stop)
  let released = ''
  for (const piece of pieces) {
    released += gate.push(piece)
    if (gate.stopText !== undefined) break
  }
  return { released: released + gate.flush(), stopText: gate.stopText }
}

const firstStop = (whole: string, stop: readonly string[]) =>
  Math.min(...stop.map((one) => (one && whole.includes(one) ? whole.indexOf(one) : Infinity)))

describe('a stop gate', () => {
  it('releases what stands before a stop text, however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(text(4), { maxLength: 12 }), fc.array(text(4), { maxLength: 3 }), (pieces, stop) => {
        const { released, stopText } = throughGate(pieces, stop)
        const whole = pieces.join('')
        expect(whole.startsWith(released)).to.equal(true)
        if (stopText === undefined) {
          expect(released).to.equal(whole)
          expect(firstStop(whole, stop)).to.equal(Infinity)
        } else {
          expect(whole.startsWith(released + stopText)).to.equal(true)
          expect(stop.some((one) => one && released.includes(one))).to.equal(false)
        }
      }),
    )
  })

  it('releases at once what can begin no stop text', () => {
    const gate = new StopGate(['END'])
    expect([gate.push('one '), gate.push('E'), gate.push('x EN'), gate.push('D'), gate.flush()]).to.deep.equal([
      'one ',
      '',
      'Ex ',
      '',
      '',
    ])
    expect(gate.stopText).to.equal('END')
  })
})
