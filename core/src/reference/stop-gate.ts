/** Holds back what may turn out to be the beginning of a stop text. */
export class StopGate {
  private held = ''
  /** The stop text that came. */
  stopText: string | undefined

  constructor(private readonly stop: readonly string[]) {}

  /** Returns what may leave now. */
  push(text: string): string {
    this.held += text
    const [at, stopText] = this.firstStop()
    if (stopText !== undefined) this.stopText = stopText
    return this.release(stopText === undefined ? this.held.length - this.possibleStart() : at)
  }

  /** Returns the rest: the text is over. */
  flush(): string {
    return this.stopText === undefined ? this.release(this.held.length) : ''
  }

  private release(length: number): string {
    const released = this.held.slice(0, length)
    this.held = this.held.slice(length)
    return released
  }

  private firstStop(): readonly [number, string | undefined] {
    let first: readonly [number, string | undefined] = [Infinity, undefined]
    for (const text of this.stop) {
      const at = text ? this.held.indexOf(text) : -1
      if (at >= 0 && at < first[0]) first = [at, text]
    }
    return first
  }

  /** Length of the longest end of the held text that begins a stop text. */
  private possibleStart(): number {
    const longest = Math.max(0, ...this.stop.map(({ length }) => length - 1))
    for (let length = Math.min(longest, this.held.length); length > 0; length--) {
      const end = this.held.slice(-length)
      if (this.stop.some((text) => text.startsWith(end))) return length
    }
    return 0
  }
}
