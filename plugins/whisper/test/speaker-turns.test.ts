import { expect } from 'chai'
import fc from 'fast-check'
import { assignSpeakers } from '../src/speakers/segmented-voices.js'
import { orderedTurns, withSpeakers } from '../src/speakers/turns.js'
import { segmentsOf } from '../src/segments.js'

const turn = (start: number, end: number, speaker: number) => ({ start, end, speaker })

describe('turns', () => {
  it('are in order, with speakers numbered as they come, and joined where they touch', () => {
    const turns = [turn(2, 3, 7), turn(0, 1, 4), turn(1, 2, 4), turn(3, 4, 4), turn(3.5, 5, 7)]
    expect(orderedTurns(turns)).to.deep.equal([turn(0, 2, 0), turn(2, 3, 1), turn(3, 4, 0), turn(3.5, 5, 1)])
  })

  it('cover the same time for each speaker, without overlap of one with oneself', () => {
    const some = fc.array(
      fc
        .tuple(fc.nat(50), fc.integer({ min: 1, max: 20 }), fc.nat(3))
        .map(([start, length, speaker]) => turn(start, start + length, speaker)),
      { maxLength: 12 },
    )
    const seconds = (turns: readonly ReturnType<typeof turn>[]) => {
      const covered = new Set(
        turns.flatMap(({ start, end, speaker }) =>
          Array.from({ length: end - start }, (_, at) => `${speaker} ${start + at}`),
        ),
      )
      return [...covered].length
    }
    fc.assert(
      fc.property(some, (turns) => {
        const ordered = orderedTurns(turns)
        expect(seconds(ordered)).to.equal(seconds(turns))
        expect(ordered.reduce((sum, { start, end }) => sum + end - start, 0)).to.equal(seconds(ordered))
        const firsts = [...new Set(ordered.map(({ speaker }) => speaker))]
        expect(firsts).to.deep.equal(firsts.map((_, index) => index))
      }),
    )
  })
})

describe('words', () => {
  const turns = [turn(0, 2, 0), turn(2, 4, 1), turn(3, 6, 0)]
  for (const [name, start, end, speaker] of [
    ['within a turn', 0.5, 1, 'SPEAKER_00'],
    ['over a change, more after it', 1.8, 2.9, 'SPEAKER_01'],
    ['over a change, more before it', 1, 2.4, 'SPEAKER_00'],
    ['while two speak, with the one who speaks for all of it', 3.2, 5, 'SPEAKER_00'],
    ['after all turns', 9, 10, 'SPEAKER_00'],
    ['of no length', 2.5, 2.5, 'SPEAKER_01'],
  ] as const)
    it(`${name} have the speaker ${speaker}`, () => {
      expect(withSpeakers([{ text: ' a', start, end }], turns)).to.deep.equal([{ text: ' a', start, end, speaker }])
    })

  it('where nobody was heard have none', () => {
    const words = [{ text: ' a', start: 0, end: 1 }]
    expect(withSpeakers(words, [])).to.deep.equal(words)
  })

  it('of two speakers are never in one segment', () => {
    const said = [0, 1, 2, 3].map((second) => ({ text: ` word${second}`, start: second, end: second + 1 }))
    expect(segmentsOf(withSpeakers(said, [turn(0, 2, 0), turn(2, 4, 1)]), true)).to.deep.equal([
      {
        text: ' word0 word1',
        start: 0,
        end: 2,
        speaker: 'SPEAKER_00',
        words: withSpeakers(said.slice(0, 2), [turn(0, 2, 0)]),
      },
      {
        text: ' word2 word3',
        start: 2,
        end: 4,
        speaker: 'SPEAKER_01',
        words: withSpeakers(said.slice(2), [turn(0, 4, 1)]),
      },
    ])
  })
})

describe('voices of a window', () => {
  const [x, y, z] = [Float32Array.of(1, 0, 0), Float32Array.of(0, 1, 0), Float32Array.of(0.9, 0.4, 0)]
  const assigned = (voices: Float32Array[], speakers: Float32Array[]) =>
    assignSpeakers(
      voices.map((embedding) => ({ embedding })),
      speakers,
    )

  it('are different speakers, the best pair first', () => {
    expect(assigned([z, x], [x, y])).to.deep.equal([1, 0])
    expect(assigned([y, x], [x, y])).to.deep.equal([1, 0])
  })

  it('share a speaker where there are more voices than speakers', () => {
    expect(assigned([x, y, z], [y])).to.deep.equal([0, 0, 0])
  })
})
