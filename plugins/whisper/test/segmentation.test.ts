import { expect } from 'chai'
import { normalised } from '@sallyport/kit/numbers'
import { Diarizer } from '../src/speakers/diarizer.js'
import { SlidingVoices } from '../src/speakers/sliding-voices.js'
import { PyannoteSegmentation, windowLength } from '../src/speakers/pyannote-segmentation.js'
import { SegmentedVoices, voteTurns } from '../src/speakers/segmented-voices.js'
import type { SpeakerEmbedder, VoiceAnalyser } from '../src/speakers/speaker-embedder.js'
import { energyVad } from '../src/speech/vad.js'
import type { VadModel } from '../src/speech/vad.js'
import { atOnce } from './support/at-once.js'
import { temporaryFolder } from './support/files.js'
import { inBlocks } from './support/sounds.js'
import { loudnessSegmentation, otherModel, weSpeaker } from './support/speaker-models.js'

const rate = 16_000

/** Seconds of each loudness, in tenths of full scale, which is the class of the segmentation. */
const recording = (...parts: readonly (readonly [seconds: number, tenths: number])[]): Float32Array => {
  const samples = new Float32Array(parts.reduce((sum, [seconds]) => sum + seconds, 0) * rate)
  let at = 0
  for (const [seconds, tenths] of parts) samples.fill(tenths / 10, at * rate, (at += seconds) * rate)
  return samples
}

const middleOf = (part: Float32Array) => part[part.length >> 1] ?? 0

/** The louder, the more another direction. */
const byLoudness: SpeakerEmbedder = {
  options: { window: 1.5 * rate, hop: 0.75 * rate, sameSpeakerThreshold: { second: 0.75, further: 0.75 } },
  embed: (parts) =>
    Promise.resolve(
      parts.map((part) =>
        normalised(Float32Array.from([1, 2, 3], (at) => (Math.abs(middleOf(part) * 10 - at) < 0.5 ? 1 : 0.1))),
      ),
    ),
  release: () => Promise.resolve(),
}

describe('segmentation', () => {
  const file = temporaryFolder()
  let segmentation: PyannoteSegmentation
  before(async () => {
    segmentation = await PyannoteSegmentation.load('m', file(loudnessSegmentation(), 'segmentation.onnx'), 1)
  })
  after(() => segmentation.release())

  const turnsOf = async (samples: Float32Array) =>
    (await new Diarizer(new SegmentedVoices(segmentation, byLoudness)).turns(inBlocks(samples, 7001), atOnce)).map(
      ({ start, end, speaker }) => [Math.round(start * 10) / 10, Math.round(end * 10) / 10, speaker],
    )

  it('says the class of each frame', async () => {
    const classes = await segmentation.classesOf(recording([2, 0], [3, 1], [5, 4]))
    expect(classes).to.deep.equal([
      ...Array<number>(20).fill(0),
      ...Array<number>(30).fill(1),
      ...Array<number>(50).fill(4),
    ])
  })

  it('becomes turns of the whole recording, in which several may speak at once', async () => {
    // class 4: the first and the second speaker of the window
    expect(await turnsOf(recording([1, 0], [5, 2], [4, 1], [6, 0], [3, 2], [2, 4], [4, 1]))).to.deep.equal([
      [1, 6, 0],
      [6, 10, 1],
      [16, 21, 0],
      [19, 25, 1],
    ])
  })

  it('of silence, and of little sound, has no turn', async () => {
    expect(await turnsOf(recording([12, 0]))).to.deep.equal([])
    expect(await turnsOf(recording([1, 0]))).to.deep.equal([])
    expect(await turnsOf(new Float32Array())).to.deep.equal([])
  })

  for (const seconds of [3, 10, 15, 17])
    it(`hears every moment of ${seconds} seconds`, async () => {
      const turns = await turnsOf(recording([seconds, 1]))
      expect(turns).to.have.length(1)
      expect(turns[0]?.[1]).to.be.closeTo(seconds, 0.11)
    })

  it('goes with the majority where windows differ', () => {
    const heard = (...tenths: number[]) => Uint8Array.from({ length: 10 }, (_, at) => (tenths.includes(at) ? 1 : 0))
    const embedding = new Float32Array()
    const windows = [
      { start: 0, voices: [{ soloSeconds: 1, embedding, active: heard(5, 6, 7, 8, 9) }] },
      {
        start: windowLength / 2,
        voices: [
          { soloSeconds: 1, embedding, active: heard(0, 1, 2) },
          { soloSeconds: 1, embedding, active: heard(0) },
        ],
      },
    ]
    const turns = voteTurns(windows, 2, ({ voices }) => voices.map((_, index) => index))
    // at 8 and 9 one of two windows hears somebody, at 5 three voices are heard by two
    expect(turns.map(({ start, speaker }) => [start, speaker])).to.deep.equal([
      [5, 0],
      [5, 1],
      [6, 0],
      [7, 0],
      [8, 0],
      [9, 0],
    ])
  })
})

describe('turns of a second speaker', () => {
  const file = temporaryFolder()
  const alwaysVoice: VadModel = { start: () => ({ voiceProbability: () => 1 }), release: () => Promise.resolve() }
  const quarters = { ...byLoudness, options: { ...byLoudness.options, hop: rate / 4 } }
  const sources: Record<string, () => Promise<VoiceAnalyser>> = {
    'sliding windows': () => Promise.resolve(new SlidingVoices(alwaysVoice, quarters)),
    'a segmentation': async () =>
      new SegmentedVoices(
        await PyannoteSegmentation.load('m', file(loudnessSegmentation(), 'segmentation.onnx'), 1),
        byLoudness,
      ),
  }

  for (const [source, spoken, found] of [
    ['sliding windows', 0.25, 0],
    ['sliding windows', 0.5, 0.75],
    ['sliding windows', 0.75, 0.75],
    ['sliding windows', 1.5, 1.5],
    ['a segmentation', 0.1, 0],
    ['a segmentation', 0.2, 0.3],
    ['a segmentation', 0.3, 0.3],
    ['a segmentation', 1.5, 1.5],
  ] as const)
    it(`take ${found} s by ${source} where he speaks for ${spoken} s`, async () => {
      const analyser = await sources[source]!()
      const samples = recording([6, 1], [6, 2], [2, 1], [spoken, 2], [4, 1])
      const turns = await new Diarizer(analyser).turns(inBlocks(samples, 7001), atOnce)
      await analyser.release()
      const short = turns.filter(({ start, speaker }) => start > 12 && speaker === 1)
      expect(short.map(({ start, end }) => Math.round((end - start) * 100) / 100)).to.deep.equal(found ? [found] : [])
      // whoever spoke before goes on
      expect(turns).to.have.length(found ? 5 : 3)
    })
})

describe('what tells speakers apart', () => {
  const file = temporaryFolder()
  const load = (files: Record<string, string>) => Diarizer.load({ id: 'm', files }, energyVad, 1)
  const problem = async (files: Record<string, string>) => String(await load(files).catch((error: unknown) => error))

  it('is nothing without a file, and the segmentation where there is one', async () => {
    expect(await load({})).to.equal(undefined)
    const [speakers, segmentation] = [file(weSpeaker(), 'speakers.onnx'), file(loudnessSegmentation(), 's.onnx')]
    const [sliding, segmented] = [await load({ speakers }), await load({ speakers, segmentation })]
    expect(sliding?.analyser).to.be.instanceOf(SlidingVoices)
    expect(segmented?.analyser).to.be.instanceOf(SegmentedVoices)
    await Promise.all([sliding?.release(), segmented?.release()])
  })

  it('is refused when its files are not what they should be', async () => {
    const [speakers, other] = [file(weSpeaker(), 'good.onnx'), file(otherModel(), 'other.onnx')]
    expect(await problem({ segmentation: other })).to.match(/none with the name "speakers"/)
    expect(await problem({ speakers, segmentation: other })).to.match(/its file for segmentation must read/)
    expect(await problem({ speakers, segmentation: file('no graph', 'no.onnx') })).to.match(/cannot load/)
  })
})
