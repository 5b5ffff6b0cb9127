import { expect } from 'chai'
import fc from 'fast-check'
import { StopGate } from '../../src/generation/stop-gate.js'

/** Few letters, so that stop sequences occur, overlap and almost occur. */
const text = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength })

const throughGate = (pieces: readonly string[], stop: readonly string[]) => {
  const gate = new StopGate(stop)
  let released = ''
  for (const piece of pieces) {
    released += gate.push(piece)
    if (gate.stopSequence !== undefined) break
  }
  return { released: released + gate.flush(), stopSequence: gate.stopSequence }
}

const firstStop = (whole: string, stop: readonly string[]) =>
  Math.min(...stop.map((one) => (one && whole.includes(one) ? whole.indexOf(one) : Infinity)))

describe('a stop gate', () => {
  it('releases what stands before a stop sequence, however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(text(4), { maxLength: 12 }), fc.array(text(4), { maxLength: 3 }), (pieces, stop) => {
        const { released, stopSequence } = throughGate(pieces, stop)
        const whole = pieces.join('')
        expect(whole.startsWith(released)).to.equal(true)
        if (stopSequence === undefined) {
          expect(released).to.equal(whole)
          expect(firstStop(whole, stop)).to.equal(Infinity)
        } else {
          expect(whole.startsWith(released + stopSequence)).to.equal(true)
          expect(stop.some((one) => one && released.includes(one))).to.equal(false)
        }
      }),
    )
  })

  const overlapping: [stop: string[], released: string, stopSequence: string][] = [
    [['abcd', 'bc'], 'a', 'bc'],
    [['bc', 'abcd'], 'a', 'bc'],
    [['abc', 'ab'], '', 'ab'],
    [['bc', 'abc'], '', 'abc'],
    [['', 'd'], 'abc', 'd'],
  ]
  for (const [stop, released, stopSequence] of overlapping) {
    it(`ends at the first of ${JSON.stringify(stop)} to be complete, whole or in pieces`, () => {
      for (const pieces of [['abcde'], Array.from('abcde')]) {
        expect(throughGate(pieces, stop)).to.deep.equal({ released, stopSequence })
      }
    })
  }

  it('does not depend on how the text is cut', () => {
    fc.assert(
      fc.property(fc.array(text(4), { maxLength: 12 }), fc.array(text(4), { maxLength: 3 }), (pieces, stop) => {
        expect(throughGate(pieces, stop)).to.deep.equal(throughGate(Array.from(pieces.join('')), stop))
      }),
    )
  })

  it('releases at once what can begin no stop sequence', () => {
    const gate = new StopGate(['END'])
    expect([gate.push('one '), gate.push('E'), gate.push('x EN'), gate.push('D'), gate.flush()]).to.deep.equal([
      'one ',
      '',
      'Ex ',
      '',
      '',
    ])
    expect(gate.stopSequence).to.equal('END')
  })
})
