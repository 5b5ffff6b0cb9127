import type { Step } from '../model/step-gate.js'
import { joined } from './joined.js'
import { classes, windowLength } from './pyannote-segmentation.js'
import type { PyannoteSegmentation } from './pyannote-segmentation.js'
import { rate } from './voice-vectors.js'
import type { VoiceVectors } from './voice-vectors.js'

/** What is kept of a window of the segmentation. */
export interface HeardWindow {
  /** Samples from the beginning of the recording. */
  readonly start: number
  readonly voices: readonly HeardVoice[]
}

interface HeardVoice {
  /** Seconds of the window in which nobody else is heard. */
  readonly alone: number
  readonly vector: Float32Array
  /** 1 for each frame of the window in which the voice is heard. */
  readonly heard: Uint8Array
}

/** Samples from one window to the next: half of a window. */
export const windowStep = windowLength / 2
/** Samples that somebody speaks alone, below which nothing is known of the voice. */
const least = 0.4 * rate

/** Windows over a recording, each with the voices that are heard in it. */
export async function* heardWindows(
  samples: AsyncIterable<Float32Array>,
  segmentation: PyannoteSegmentation,
  vectors: VoiceVectors,
  step: Step,
): AsyncGenerator<HeardWindow> {
  for await (const window of overlapping(samples)) {
    const frames = await step(() => segmentation.classesOf(window.samples))
    const voices: HeardVoice[] = []
    for (const [speaker] of classes.slice(1, 4).entries()) {
      const alone = only(window.samples, frames, speaker + 1)
      if (alone.length < least) continue
      const [vector] = await step(() => vectors.vectorsOf([alone]))
      if (vector)
        voices.push({
          alone: alone.length / rate,
          vector,
          heard: Uint8Array.from(frames, (of) => (classes[of]?.includes(speaker) ? 1 : 0)),
        })
    }
    yield { start: window.start, voices }
  }
}

/** The samples of the frames of one class. */
const only = (samples: Float32Array, frames: readonly number[], wanted: number): Float32Array => {
  const length = samples.length / frames.length
  const parts = frames.flatMap((of, index) =>
    of === wanted ? [samples.subarray(Math.round(index * length), Math.round((index + 1) * length))] : [],
  )
  return joined(parts)
}

/** The last one is filled with silence. */
async function* overlapping(blocks: AsyncIterable<Float32Array>) {
  const window = new Float32Array(windowLength)
  let start = 0
  let filled = 0
  for await (const block of blocks)
    for (let at = 0; at < block.length;) {
      const part = block.subarray(at, at + windowLength - filled)
      window.set(part, filled)
      filled += part.length
      at += part.length
      if (filled < windowLength) continue
      yield { start, samples: window.slice() }
      window.copyWithin(0, windowStep)
      filled -= windowStep
      start += windowStep
    }
  if (filled > windowLength - windowStep || start === 0) yield { start, samples: window.fill(0, filled) }
}
