import { setImmediate as turn } from 'node:timers/promises'
import type { VoiceModel } from '../speech/voice.js'

/**
 * Shares the event loop between steps of a model, which hold it, and the search for speech in other recordings. That has
 * many frames of a fraction of a millisecond: one in each turn of the event loop would wait for as many steps. So behind
 * each step frames are measured for as long as it took, if there are any.
 */
export class StepGate {
  private frames = 0
  private framesBefore = 0

  /** Counts what its meters measure. */
  counted(model: VoiceModel): VoiceModel {
    return {
      start: () => {
        const meter = model.start()
        return {
          measure: (frame) => {
            this.frames += 1
            return meter.measure(frame)
          },
        }
      },
      release: () => model.release(),
    }
  }

  async step<Value>(run: () => Promise<Value>): Promise<Value> {
    const started = performance.now()
    const value = await run()
    const ended = performance.now()
    while (this.frames > this.framesBefore && performance.now() - ended < ended - started) {
      this.framesBefore = this.frames
      // what is asked for in one turn is measured in the next
      await turn()
      await turn()
    }
    this.framesBefore = this.frames
    return value
  }
}
