import { batches, concatenate, windowed } from '../samples.js'
import type { RunStep } from '../step-scheduler.js'
import { frameSize } from './vad.js'
import type { VadStream } from './vad.js'

/** A part of a recording in which somebody speaks. */
export interface SpeechRegion {
  /** Samples from the beginning of the recording. */
  readonly start: number
  readonly samples: Float32Array
}

/** Lengths are in frames of 32 ms. These values suit meetings better than Silero's defaults. */
export const regionLimits = {
  startProbability: 0.3,
  endProbability: 0.15,
  /** Frames of silence that end a region: half a second. */
  minSilenceFrames: 16,
  /** Frames that are kept before and after speech. */
  paddingFrames: 6,
  /** Regions with fewer frames of voice are dropped. */
  minVoicedFrames: 4,
  /** Longer regions are cut, because a window of the model has 30 seconds. */
  maxFrames: 875,
  /** Frames at the end of a long region within which it is cut, where voice is least probable. */
  cutWithinFrames: 250,
} as const

/** Frames per step: a second of audio, which takes Silero about 7 ms. */
const framesPerStep = 32

interface Frame {
  readonly samples: Float32Array
  readonly voiceProbability: number
}

/** The speech regions of a recording in order, each as soon as it has ended. */
export async function* speechRegions(
  samples: AsyncIterable<Float32Array>,
  vad: VadStream,
  runStep: RunStep,
): AsyncGenerator<SpeechRegion> {
  const finder = new RegionFinder()
  for await (const batch of batches(windowed(samples, frameSize), framesPerStep))
    for (const frame of await runStep(() => withProbabilities(batch, vad))) {
      const region = finder.add(frame)
      if (region) yield region
    }
  const last = finder.end()
  if (last) yield last
}

const withProbabilities = async (frames: readonly Float32Array[], vad: VadStream): Promise<Frame[]> => {
  const results: Frame[] = []
  for (const samples of frames) results.push({ samples, voiceProbability: await vad.voiceProbability(samples) })
  return results
}

class RegionFinder {
  /** The frames of the open region, or the last ones before one may begin. */
  private frames: Frame[] = []
  /** The index of the first of these frames in the recording. */
  private first = 0
  private open = false
  private silentFrames = 0

  add(frame: Frame): SpeechRegion | undefined {
    this.frames.push(frame)
    if (!this.open) {
      this.openAtVoice(frame)
      return undefined
    }
    this.silentFrames = frame.voiceProbability < regionLimits.endProbability ? this.silentFrames + 1 : 0
    if (this.silentFrames >= regionLimits.minSilenceFrames) return this.end()
    return this.frames.length >= regionLimits.maxFrames ? this.cut() : undefined
  }

  /** Ends the open region, at silence or at the end of the recording. */
  end(): SpeechRegion | undefined {
    if (!this.open) return undefined
    this.open = false
    const region = this.take(this.frames.length - Math.max(0, this.silentFrames - regionLimits.paddingFrames))
    this.dropOldFrames()
    return region
  }

  private openAtVoice({ voiceProbability }: Frame): void {
    this.open = voiceProbability >= regionLimits.startProbability
    this.silentFrames = 0
    this.dropOldFrames()
  }

  /** Keeps only frames with which the next region may begin. */
  private dropOldFrames(): void {
    if (this.open) return
    const surplus = Math.max(0, this.frames.length - regionLimits.paddingFrames)
    this.frames.splice(0, surplus)
    this.first += surplus
  }

  private cut(): SpeechRegion | undefined {
    const from = this.frames.length - regionLimits.cutWithinFrames
    let quietest = from
    for (let index = from; index < this.frames.length; index += 1)
      if ((this.frames[index]?.voiceProbability ?? 1) < (this.frames[quietest]?.voiceProbability ?? 1)) quietest = index
    return this.take(quietest + 1)
  }

  /** Takes the first frames; undefined where they have too little speech. */
  private take(length: number): SpeechRegion | undefined {
    const taken = this.frames.splice(0, length)
    const start = this.first * frameSize
    this.first += length
    const voiced = taken.filter(({ voiceProbability }) => voiceProbability >= regionLimits.startProbability)
    if (voiced.length < regionLimits.minVoicedFrames) return undefined
    return { start, samples: concatenate(taken.map(({ samples }) => samples)) }
  }
}
