import { expect } from 'chai'
import fc from 'fast-check'
import { bestPairing, diarizationError } from './diarization-metrics.js'
import type { Turn } from './diarization-metrics.js'

const turn = (start: number, end: number, speaker: string): Turn => ({ start, end, speaker })

describe('the diarization error', () => {
  const two = [turn(0, 10, 'a'), turn(10, 20, 'b')]
  const overlapping = [turn(0, 10, 'a'), turn(5, 10, 'b')]
  // spoken time that counts: of two 9.5 s + 9.5 s; of the overlapping ones 4.5 s + 2 × 4.5 s
  for (const [name, truth, heard, missed, falseAlarm, confusion] of [
    ['other labels for the same', two, [turn(0, 10, 'y'), turn(10, 20, 'x')], 0, 0, 0],
    ['a change that is off by less than the collar', two, [turn(0, 10.2, 'y'), turn(10.2, 20, 'x')], 0, 0, 0],
    ['a change that is off by a second', two, [turn(0, 11, 'y'), turn(11, 20, 'x')], 0, 0, 0.75 / 19],
    ['one speaker', two, [turn(0, 20, 'y')], 0, 0, 0.5],
    ['nobody', two, [], 1, 0, 0],
    ['one of two', two, [turn(0, 10, 'y')], 0.5, 0, 0],
    ['two at once', two, [turn(0, 20, 'y'), turn(0, 20, 'x')], 0, 1, 0],
    ['a third speaker', two, [turn(0, 10, 'y'), turn(10, 15, 'x'), turn(15, 20, 'z')], 0, 0, 4.75 / 19],
    ['somebody in silence', [turn(0, 10, 'a')], [turn(0, 15, 'x')], 0, 4.75 / 9.5, 0],
    ['one of two who speak at once', overlapping, [turn(0, 10, 'x')], 4.5 / 13.5, 0, 0],
    ['somebody where nobody ever speaks', [], [turn(0, 5, 'x')], 0, 0, 0],
  ] as const)
    it(`of ${name}`, () => {
      const error = diarizationError(truth, heard)
      expect(error.missed, 'missed').to.be.closeTo(missed, 0.005)
      expect(error.falseAlarm, 'false alarm').to.be.closeTo(falseAlarm, 0.005)
      expect(error.confusion, 'confusion').to.be.closeTo(confusion, 0.005)
      expect(error.total).to.be.closeTo(missed + falseAlarm + confusion, 0.005)
    })
})

describe('the best pairing', () => {
  const byTrying = (values: readonly (readonly number[])[], row = 0, taken: readonly number[] = []): number => {
    const own = values[row]
    if (!own) return 0
    const paired = own.flatMap((value, column) =>
      taken.includes(column) ? [] : [value + byTrying(values, row + 1, [...taken, column])],
    )
    return Math.max(byTrying(values, row + 1, taken), ...paired)
  }

  it('is the best of all', () =>
    fc.assert(
      fc.property(
        fc
          .nat(5)
          .chain((columns) =>
            fc.array(fc.array(fc.nat(20), { minLength: columns, maxLength: columns }), { maxLength: 5 }),
          ),
        (values) => {
          expect(bestPairing(values)).to.equal(byTrying(values))
        },
      ),
    ))
})
