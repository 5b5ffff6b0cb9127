/** How many chunks may still be sent. */
export class Credit {
  private waiting: (() => void) | undefined

  constructor(private left: number) {}

  get exhausted(): boolean {
    return this.left <= 0
  }

  spend(): void {
    this.left -= 1
  }

  add(chunks: number): void {
    this.left += chunks
    this.wake()
  }

  /** Resolves when credit arrives or the call is given up. */
  more(): Promise<void> {
    return new Promise((resolve) => (this.waiting = resolve))
  }

  wake(): void {
    this.waiting?.()
    this.waiting = undefined
  }
}
