import { inGroups, joined, windowed } from '../samples.js'
import type { Step } from '../step-gate.js'
import { frameSize } from './voice.js'
import type { VoiceMeter } from './voice.js'

/** A part of a recording in which somebody speaks. */
export interface Stretch {
  /** Samples from the beginning of the recording. */
  readonly start: number
  readonly samples: Float32Array
}

/** Frames of 32 ms, and probabilities. They suit meetings better than Silero's own ones. */
export const speechRules = {
  begins: 0.3,
  ends: 0.15,
  /** Frames of silence behind speech that end it: half a second. */
  silence: 16,
  /** Frames that are kept before and after it. */
  padding: 6,
  /** Frames with a voice without which it is none. */
  least: 4,
  /** Frames: longer ones are cut, for a window of the model has 30 seconds. */
  most: 875,
  /** Frames at the end of a long one, in which it is cut where a voice is least probable. */
  cutWithin: 250,
} as const

/** Frames that are measured in one step: a second of sound, which takes Silero some 7 ms. */
const framesOfStep = 32

interface Frame {
  readonly samples: Float32Array
  readonly voice: number
}

/** The parts with speech of a recording, in order, as soon as they have ended. */
export async function* speechStretches(
  samples: AsyncIterable<Float32Array>,
  meter: VoiceMeter,
  step: Step,
): AsyncGenerator<Stretch> {
  const finder = new StretchFinder()
  for await (const some of inGroups(windowed(samples, frameSize), framesOfStep))
    for (const frame of await step(() => measured(some, meter))) {
      const stretch = finder.add(frame)
      if (stretch) yield stretch
    }
  const last = finder.end()
  if (last) yield last
}

const measured = async (frames: readonly Float32Array[], meter: VoiceMeter): Promise<Frame[]> => {
  const results: Frame[] = []
  for (const samples of frames) results.push({ samples, voice: await meter.measure(samples) })
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
      this.await(frame)
      return undefined
    }
    this.silent = frame.voice < speechRules.ends ? this.silent + 1 : 0
    if (this.silent >= speechRules.silence) return this.end()
    return this.frames.length >= speechRules.most ? this.cut() : undefined
  }

  /** What is open when the recording ends, or silence has come. */
  end(): Stretch | undefined {
    if (!this.open) return undefined
    this.open = false
    const length = this.frames.length - Math.max(0, this.silent - speechRules.padding)
    const stretch = this.take(length)
    this.forget()
    return stretch
  }

  private await({ voice }: Frame): void {
    this.open = voice >= speechRules.begins
    this.silent = 0
    this.forget()
  }

  /** Keeps what the next stretch may begin with. */
  private forget(): void {
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

  /** The first so many frames, unless too little is said in them. */
  private take(length: number): Stretch | undefined {
    const taken = this.frames.splice(0, length)
    const start = this.first * frameSize
    this.first += length
    if (taken.filter(({ voice }) => voice >= speechRules.begins).length < speechRules.least) return undefined
    return { start, samples: joined(taken.map(({ samples }) => samples)) }
  }
}
