import { sampleRate } from '../samples.js'
import type { Stretch } from './stretches.js'

/** Speech for the model, without the silence between its parts. */
export interface Window {
  readonly samples: Float32Array
  readonly parts: readonly Part[]
}

/** All in samples. */
interface Part {
  /** Place in the window. */
  readonly at: number
  /** Place in the recording. */
  readonly start: number
  readonly length: number
}

/** A window of the model has 30 seconds: all of it costs the same, however little is said in it. */
const longest = 29 * sampleRate
/** What is left of a longer silence. */
const pause = 0.4 * sampleRate
/** Whisper makes nothing of less. */
const shortest = 1.2 * sampleRate

/** Puts as many parts into a window as there is room for. */
export async function* packWindows(stretches: AsyncIterable<Stretch>): AsyncGenerator<Window> {
  let open: Stretch[] = []
  let length = 0
  for await (const stretch of stretches) {
    const needed = pauseBefore(stretch, open.at(-1)) + stretch.samples.length
    if (open.length && length + needed > longest) {
      yield packed(open)
      open = []
      length = 0
    }
    length += pauseBefore(stretch, open.at(-1)) + stretch.samples.length
    open.push(stretch)
  }
  if (open.length) yield packed(open)
}

const pauseBefore = (stretch: Stretch, before: Stretch | undefined): number =>
  before ? Math.min(pause, stretch.start - before.start - before.samples.length) : 0

const packed = (stretches: readonly Stretch[]): Window => {
  const parts: Part[] = []
  let end = 0
  stretches.forEach((stretch, index) => {
    const at = end + pauseBefore(stretch, stretches[index - 1])
    parts.push({ at, start: stretch.start, length: stretch.samples.length })
    end = at + stretch.samples.length
  })
  const samples = new Float32Array(Math.max(end, shortest))
  stretches.forEach((stretch, index) => samples.set(stretch.samples, parts[index]?.at))
  return { samples, parts }
}

/** Seconds in the recording of what is said from one second of the window to another. */
export const inRecording = ({ parts }: Window, start: number, end: number): { start: number; end: number } => {
  const middle = ((start + end) / 2) * sampleRate
  const part = parts.findLast(({ at }) => at <= middle) ?? parts[0]
  if (!part) return { start, end }
  const shift = part.start - part.at
  const within = (second: number) =>
    Math.max(part.start, Math.min(part.start + part.length, second * sampleRate + shift)) / sampleRate
  return { start: within(start), end: within(end) }
}
