import { sampleRate } from '../samples.js'
import type { Stretch } from './stretches.js'

/** Speech for the model, without the silence between its parts. */
export interface Window {
  readonly samples: Float32Array
  readonly parts: readonly Part[]
}

/** Where a part of the window comes from, in samples. */
interface Part {
  /** Offset in the window. */
  readonly at: number
  /** Offset in the recording. */
  readonly start: number
  readonly length: number
}

/** The model's window has 30 seconds and costs the same however little is said in it, so it is filled. */
const maxSamples = 29 * sampleRate
/** Longer silences are cut to this. */
const maxPause = 0.4 * sampleRate
/** Whisper does not transcribe shorter windows. */
const minSamples = 1.2 * sampleRate

/** Packs stretches into windows, as many as fit. */
export async function* packWindows(stretches: AsyncIterable<Stretch>): AsyncGenerator<Window> {
  let open: Stretch[] = []
  let length = 0
  for await (const stretch of stretches) {
    const needed = pauseBefore(stretch, open.at(-1)) + stretch.samples.length
    if (open.length && length + needed > maxSamples) {
      yield windowOf(open)
      open = []
      length = 0
    }
    length += pauseBefore(stretch, open.at(-1)) + stretch.samples.length
    open.push(stretch)
  }
  if (open.length) yield windowOf(open)
}

const pauseBefore = (stretch: Stretch, before: Stretch | undefined): number =>
  before ? Math.min(maxPause, stretch.start - before.start - before.samples.length) : 0

const windowOf = (stretches: readonly Stretch[]): Window => {
  const parts: Part[] = []
  let end = 0
  stretches.forEach((stretch, index) => {
    const at = end + pauseBefore(stretch, stretches[index - 1])
    parts.push({ at, start: stretch.start, length: stretch.samples.length })
    end = at + stretch.samples.length
  })
  const samples = new Float32Array(Math.max(end, minSamples))
  stretches.forEach((stretch, index) => samples.set(stretch.samples, parts[index]?.at))
  return { samples, parts }
}

/** Maps a range of seconds in the window to the recording. */
export const inRecording = ({ parts }: Window, start: number, end: number): { start: number; end: number } => {
  const middle = ((start + end) / 2) * sampleRate
  const part = parts.findLast(({ at }) => at <= middle) ?? parts[0]
  if (!part) return { start, end }
  const shift = part.start - part.at
  const within = (second: number) =>
    Math.max(part.start, Math.min(part.start + part.length, second * sampleRate + shift)) / sampleRate
  return { start: within(start), end: within(end) }
}
