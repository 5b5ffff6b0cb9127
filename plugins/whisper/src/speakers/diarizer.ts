import type { Turn } from './turns.js'

/** Finds out who speaks when. */
export interface Diarizer {
  /**
   * The turns of a recording, in order; speakers are numbered as they come, from 0.
   * @param samples of the whole recording at 16 kHz; they are not kept
   */
  turns(samples: AsyncIterable<Float32Array>, signal: AbortSignal): Promise<Turn[]>
  release(): Promise<void>
}
