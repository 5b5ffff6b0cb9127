import { expect } from 'chai'
import fc from 'fast-check'
import { regionLimits, speechRegions } from '../src/speech/speech-regions.js'
import type { SpeechRegion } from '../src/speech/speech-regions.js'
import { energyVad, frameSize } from '../src/speech/vad.js'
import { inRecording, packWindows } from '../src/speech/speech-windows.js'
import type { Window } from '../src/speech/speech-windows.js'
import { atOnce } from './support/at-once.js'
import { tone } from './support/sounds.js'

const rate = 16_000

const all = async <Value>(source: AsyncIterable<Value>): Promise<Value[]> => {
  const values: Value[] = []
  for await (const value of source) values.push(value)
  return values
}

async function* inPieces<Value>(values: readonly Value[]): AsyncGenerator<Value> {
  for (const value of values) yield await Promise.resolve(value)
}

/** Frames whose samples are their number, each with the probability of a voice that is written down. */
const regionsOf = (voices: readonly number[]): Promise<SpeechRegion[]> => {
  const samples = Float32Array.from({ length: voices.length * frameSize }, (_, index) => Math.floor(index / frameSize))
  let frame = 0
  return all(speechRegions(inPieces([samples]), { voiceProbability: () => voices[frame++] ?? 0 }, atOnce))
}

const frames = (count: number, voice: number) => Array<number>(count).fill(voice)

const placesOf = (regions: readonly SpeechRegion[]) =>
  regions.map(({ start, samples }) => [start / frameSize, (start + samples.length) / frameSize])

describe('speech regions', () => {
  const { paddingFrames, minSilenceFrames, maxFrames } = regionLimits

  it('silence has none', async () => expect(await regionsOf(frames(1000, 0.1))).to.deep.equal([]))

  it('begin before the voice and end after it', async () => {
    const found = await regionsOf([...frames(50, 0), ...frames(30, 0.9), ...frames(100, 0)])
    expect(placesOf(found)).to.deep.equal([[50 - paddingFrames, 80 + paddingFrames]])
  })

  it('hold the samples of their place', async () => {
    const [found] = await regionsOf([...frames(50, 0), ...frames(30, 0.9), ...frames(100, 0)])
    expect(found?.samples[0]).to.equal((found?.start ?? 0) / frameSize)
  })

  it('go on over a short pause, and end at a long one', async () => {
    const speech = frames(30, 0.9)
    expect(await regionsOf([...speech, ...frames(minSilenceFrames - 1, 0), ...speech])).to.have.length(1)
    expect(await regionsOf([...speech, ...frames(minSilenceFrames + 20, 0), ...speech])).to.have.length(2)
  })

  it('a click is none', async () => {
    expect(await regionsOf([...frames(50, 0), ...frames(2, 0.9), ...frames(50, 0)])).to.deep.equal([])
  })

  it('a long one is cut where a voice is least probable, and nothing of it is lost', async () => {
    const voices = frames(2 * maxFrames, 0.9)
    voices[maxFrames - 100] = 0.2
    const found = await regionsOf(voices)
    expect(found.length).to.be.greaterThan(1)
    expect(placesOf(found)[0]).to.deep.equal([0, maxFrames - 99])
    expect(found.reduce((sum, { samples }) => sum + samples.length, 0)).to.equal(voices.length * frameSize)
  })

  it('are in order, apart, and no longer than a window', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(600), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 8 }),
        async (runs) => {
          const found = placesOf(await regionsOf(runs.flatMap(([count, voice]) => frames(count, voice))))
          for (const [index, [start = 0, end = 0]] of found.entries()) {
            expect(start).to.be.at.least(found[index - 1]?.[1] ?? 0)
            expect(end - start).to.be.within(1, maxFrames)
          }
        },
      ),
      { numRuns: 50 },
    ))

  it('what is louder than the noise is one where no model tells', async () => {
    const noise = Float32Array.from({ length: 2 * rate }, (_, index) => ((index * 7919) % 101) / 50_000)
    const found = await all(speechRegions(inPieces([noise, tone(300, rate, 1, 0.3), noise]), energyVad.start(), atOnce))
    expect(found).to.have.length(1)
    expect((found[0]?.start ?? 0) / rate).to.be.closeTo(2, 0.25)
  })
})

describe('windows', () => {
  const region = (start: number, seconds: number): SpeechRegion => ({
    start: start * rate,
    samples: new Float32Array(seconds * rate).fill(start),
  })
  const windowsOf = (regions: readonly SpeechRegion[]): Promise<Window[]> => all(packWindows(inPieces(regions)))

  it('hold several regions, with little of the silence between them', async () => {
    const [window, ...others] = await windowsOf([region(10, 2), region(60, 3), region(63.1, 1)])
    expect(others).to.deep.equal([])
    expect((window?.samples.length ?? 0) / rate).to.be.closeTo(2 + 0.4 + 3 + 0.1 + 1, 0.001)
  })

  it('have no more than the model takes', async () => {
    const windows = await windowsOf(Array.from({ length: 10 }, (_, index) => region(index * 12, 10)))
    expect(windows.map(({ parts }) => parts.length)).to.deep.equal([2, 2, 2, 2, 2])
    for (const { samples } of windows) expect(samples.length / rate).to.be.below(30)
  })

  it('are none where nobody speaks', async () => expect(await windowsOf([])).to.deep.equal([]))

  it('know where in the recording each second is', async () => {
    const [window] = await windowsOf([region(10, 2), region(60, 3)])
    expect(inRecording(window!, 0.5, 1)).to.deep.equal({ start: 10.5, end: 11 })
    expect(inRecording(window!, 2.9, 3.4)).to.deep.equal({ start: 60.5, end: 61 })
    // what the model takes for longer than its region ends with it
    expect(inRecording(window!, 1.5, 2.3)).to.deep.equal({ start: 11.5, end: 12 })
  })
})
