import type { Step } from '../model/step-gate.js'
import type { Turn } from './turns.js'

/** Finds out who speaks when. */
export interface Diarizer {
  /**
   * The turns of a recording, in order; speakers are numbered as they come, from 0.
   * @param samples of the whole recording at 16 kHz; they are not kept
   * @param step runs whatever holds the event loop for milliseconds
   */
  turns(samples: AsyncIterable<Float32Array>, step: Step): Promise<Turn[]>
  release(): Promise<void>
}
