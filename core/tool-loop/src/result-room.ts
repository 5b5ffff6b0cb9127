/** What tools return, held to what a model can read and a process can keep. */

import { firstBytes } from '@sallyport/kit/text'
import type { ToolLoopLimits } from './limits.js'

/** Room for the results of all calls of a loop. */
export class ResultRoom {
  private left: number
  private wasFull = false

  constructor(private readonly limits: ToolLoopLimits) {
    this.left = limits.allResultBytes
  }

  /** Whether a result did not fit: no more calls are made then. */
  get isFull(): boolean {
    return this.wasFull
  }

  /** Why calls are not made, or results not kept. */
  get refusal(): string {
    return `the limit of ${this.limits.allResultBytes} bytes for the results of all calls is reached`
  }

  /** The result, cut where it is too long; undefined where there is no room for it. */
  take(output: string): string | undefined {
    const kept = cut(output, this.limits.resultBytes)
    const bytes = Buffer.byteLength(kept)
    if (this.wasFull || bytes > this.left) {
      this.wasFull = true
      return undefined
    }
    this.left -= bytes
    return kept
  }
}

/** At most so many bytes of UTF-8, with the note that tells the model that something is missing. */
const cut = (text: string, max: number): string => {
  const whole = Buffer.byteLength(text)
  if (whole <= max) return text
  const room = max - Buffer.byteLength(noteOf(whole, whole))
  const kept = firstBytes(text, Math.max(0, room))
  return firstBytes(`${kept}${noteOf(Buffer.byteLength(kept), whole)}`, max)
}

const noteOf = (kept: number, whole: number): string => `\n[cut: the first ${kept} of ${whole} bytes]`
