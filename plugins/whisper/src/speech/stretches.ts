import { batches, concatenate, windowed } from '../samples.js'
import type { Step } from '../step-gate.js'
import { frameSize } from './vad.js'
import type { VadStream } from './vad.js'

/** A part of a recording in which somebody speaks. */
export interface Stretch {
  /** Samples from the beginning of the recording. */
  readonly start: number
  readonly samples: Float32Array
}

/** Lengths in frames of 32 ms, and probabilities. They suit meetings better than Silero's defaults. */
export const speechRules = {
  startProbability: 0.3,
  endProbability: 0.15,
  /** Frames of silence that end a stretch: half a second. */
  silence: 16,
  /** Frames that are kept before and after speech. */
  padding: 6,
  /** Stretches with fewer frames of voice are dropped. */
  minVoiced: 4,
  /** Longer stretches are cut, for a window of the model has 30 seconds. */
  max: 875,
  /** Frames at the end of a long stretch within which it is cut, where voice is least probable. */
  cutWithin: 250,
} as const

/** Frames per step: a second of audio, which takes Silero some 7 ms. */
const framesPerStep = 32

interface Frame {
  readonly samples: Float32Array
  readonly voice: number
}

/** The stretches of speech of a recording in order, each as soon as it has ended. */
export async function* speechStretches(
  samples: AsyncIterable<Float32Array>,
  meter: VadStream,
  step: Step,
): AsyncGenerator<Stretch> {
  const finder = new StretchFinder()
  for await (const some of batches(windowed(samples, frameSize), framesPerStep))
    for (const frame of await step(() => withVoice(some, meter))) {
      const stretch = finder.add(frame)
      if (stretch) yield stretch
    }
  const last = finder.end()
  if (last) yield last
}

const withVoice = async (frames: readonly Float32Array[], meter: VadStream): Promise<Frame[]> => {
  const results: Frame[] = []
  for (const samples of frames) results.push({ samples, voice: await meter.voiceProbability(samples) })
  return results
}

class StretchFinder {
  /** The frames of the open stretch, or the last ones before one may begin. */
  private frames: Frame[] = []
  private first = 0
  private open = false
  private silent = 0

  add(frame: Frame): Stretch | undefined {
    this.frames.push(frame)
    if (!this.open) {
      this.openAtVoice(frame)
      return undefined
    }
    this.silent = frame.voice < speechRules.endProbability ? this.silent + 1 : 0
    if (this.silent >= speechRules.silence) return this.end()
    return this.frames.length >= speechRules.max ? this.cut() : undefined
  }

  /** Ends the open stretch, at silence or at the end of the recording. */
  end(): Stretch | undefined {
    if (!this.open) return undefined
    this.open = false
    const length = this.frames.length - Math.max(0, this.silent - speechRules.padding)
    const stretch = this.take(length)
    this.dropOldFrames()
    return stretch
  }

  private openAtVoice({ voice }: Frame): void {
    this.open = voice >= speechRules.startProbability
    this.silent = 0
    this.dropOldFrames()
  }

  /** Keeps only frames with which the next stretch may begin. */
  private dropOldFrames(): void {
    if (this.open) return
    const surplus = Math.max(0, this.frames.length - speechRules.padding)
    this.frames.splice(0, surplus)
    this.first += surplus
  }

  private cut(): Stretch | undefined {
    const from = this.frames.length - speechRules.cutWithin
    let place = from
    for (let index = from; index < this.frames.length; index += 1)
      if ((this.frames[index]?.voice ?? 1) < (this.frames[place]?.voice ?? 1)) place = index
    return this.take(place + 1)
  }

  /** Takes the first frames; undefined where they have too little speech. */
  private take(length: number): Stretch | undefined {
    const taken = this.frames.splice(0, length)
    const start = this.first * frameSize
    this.first += length
    if (taken.filter(({ voice }) => voice >= speechRules.startProbability).length < speechRules.minVoiced)
      return undefined
    return { start, samples: concatenate(taken.map(({ samples }) => samples)) }
  }
}
