import { maxOf } from '../lists/extremes.js'

/**
 * Ends a text at a stop sequence, and holds back what may turn out to be the beginning of one. The stop sequence that
 * is complete first ends the text, the longest of those that end at the same place: so the outcome does not depend on
 * how the text is cut into chunks. No part of the stop sequence is ever released.
 */
export class StopGate {
  /** The stop sequence that was found; nothing is released after it. */
  stopSequence: string | undefined
  private readonly stop: readonly string[]
  private pending = ''

  /** Empty stop sequences are ignored. */
  constructor(stop: readonly string[]) {
    this.stop = stop.filter((text) => text !== '')
  }

  /** UTF-16 code units that are held back. */
  get pendingLength(): number {
    return this.pending.length
  }

  /** @returns what may leave now */
  push(text: string): string {
    if (this.stopSequence !== undefined) return ''
    this.pending += text
    const found = this.firstStop()
    if (found === undefined) return this.release(this.pending.length - this.possibleStart())
    this.stopSequence = found.text
    return this.release(found.end - found.text.length)
  }

  /** Ends the text. @returns the rest of it */
  flush(): string {
    return this.stopSequence === undefined ? this.release(this.pending.length) : ''
  }

  private release(length: number): string {
    const released = this.pending.slice(0, length)
    this.pending = this.pending.slice(length)
    return released
  }

  private firstStop(): { readonly text: string; readonly end: number } | undefined {
    let first: { text: string; end: number } | undefined
    for (const text of this.stop) {
      const at = this.pending.indexOf(text)
      if (at < 0) continue
      const end = at + text.length
      if (!first || end < first.end || (end === first.end && text.length > first.text.length)) first = { text, end }
    }
    return first
  }

  /** Length of the longest end of the pending text that begins a stop sequence. */
  private possibleStart(): number {
    const longest = maxOf(
      this.stop.map(({ length }) => length - 1),
      0,
    )
    for (let length = Math.min(longest, this.pending.length); length > 0; length--) {
      const end = this.pending.slice(-length)
      if (this.stop.some((text) => text.startsWith(end))) return length
    }
    return 0
  }
}
