import { sampleRate } from '../samples.js'
import type { SpeechRegion } from './speech-regions.js'

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

/** A window has up to 30 seconds; few full windows cost less than many short ones, each of which is padded. */
const maxSamples = 29 * sampleRate
/** Longer pauses are cut to this length. */
const maxPause = 0.4 * sampleRate
/** Whisper does not transcribe shorter windows. */
const minSamples = 1.2 * sampleRate

/** Packs speech regions into windows, as many as fit. */
export async function* packWindows(regions: AsyncIterable<SpeechRegion>): AsyncGenerator<Window> {
  let open: SpeechRegion[] = []
  let length = 0
  for await (const region of regions) {
    length += pauseBefore(region, open.at(-1)) + region.samples.length
    if (open.length && length > maxSamples) {
      yield windowOf(open)
      open = []
      length = region.samples.length
    }
    open.push(region)
  }
  if (open.length) yield windowOf(open)
}

const pauseBefore = (region: SpeechRegion, before: SpeechRegion | undefined): number =>
  before ? Math.min(maxPause, region.start - before.start - before.samples.length) : 0

const windowOf = (regions: readonly SpeechRegion[]): Window => {
  const parts: Part[] = []
  let end = 0
  regions.forEach((region, index) => {
    const at = end + pauseBefore(region, regions[index - 1])
    parts.push({ at, start: region.start, length: region.samples.length })
    end = at + region.samples.length
  })
  const samples = new Float32Array(Math.max(end, minSamples))
  regions.forEach((region, index) => samples.set(region.samples, parts[index]?.at))
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
