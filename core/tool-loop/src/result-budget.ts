import { firstBytes } from '@sallyport/kit/text'
import type { ToolLoopLimits } from './limits.js'

/** Bounds the results of all calls of a loop to what a model can read and a process can keep. */
export class ResultBudget {
  /** Whether some result did not fit; then no more calls are made. */
  isFull = false
  private left: number

  constructor(private readonly limits: ToolLoopLimits) {
    this.left = limits.allResultBytes
  }

  /** Why calls are not made, or results withheld. */
  get refusal(): string {
    return `the limit of ${this.limits.allResultBytes} bytes for the results of all calls is reached`
  }

  /** The result, truncated where it is too long; undefined where it does not fit. */
  take(output: string): string | undefined {
    const result = truncate(output, this.limits.resultBytes)
    const bytes = Buffer.byteLength(result)
    this.isFull ||= bytes > this.left
    if (this.isFull) return undefined
    this.left -= bytes
    return result
  }
}

/** At most `max` bytes of UTF-8, including the note about the truncation. */
const truncate = (text: string, max: number): string => {
  const total = Buffer.byteLength(text)
  if (total <= max) return text
  const room = max - Buffer.byteLength(noteOf(total, total))
  const start = firstBytes(text, Math.max(0, room))
  return firstBytes(`${start}${noteOf(Buffer.byteLength(start), total)}`, max)
}

const noteOf = (bytes: number, total: number): string => `\n[cut: the first ${bytes} of ${total} bytes]`
