import type { Stretch } from './stretches.js'

/** Speech for the model, without the silence between its parts. */
export interface Window {
  readonly samples: Float32Array
  readonly pieces: readonly Piece[]
}

/** All in samples. */
interface Piece {
  /** Where it stands in the window. */
  readonly at: number
  /** Where it stands in the recording. */
  readonly start: number
  readonly length: number
}

const rate = 16_000
/** A window of the model has 30 seconds: all of it costs the same, however little is said in it. */
const longest = 29 * rate
/** What is left of a longer silence. */
const pause = 0.4 * rate
/** Of less, Whisper makes nothing. */
const shortest = 1.2 * rate

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
  const pieces: Piece[] = []
  let end = 0
  stretches.forEach((stretch, index) => {
    const at = end + pauseBefore(stretch, stretches[index - 1])
    pieces.push({ at, start: stretch.start, length: stretch.samples.length })
    end = at + stretch.samples.length
  })
  const samples = new Float32Array(Math.max(end, shortest))
  stretches.forEach((stretch, index) => samples.set(stretch.samples, pieces[index]?.at))
  return { samples, pieces }
}

/** Seconds in the recording of what is said from one second of the window to another. */
export const inRecording = ({ pieces }: Window, start: number, end: number): { start: number; end: number } => {
  const middle = ((start + end) / 2) * rate
  const piece = pieces.findLast(({ at }) => at <= middle) ?? pieces[0]
  if (!piece) return { start, end }
  const shift = piece.start - piece.at
  const within = (second: number) =>
    Math.max(piece.start, Math.min(piece.start + piece.length, second * rate + shift)) / rate
  return { start: within(start), end: within(end) }
}
