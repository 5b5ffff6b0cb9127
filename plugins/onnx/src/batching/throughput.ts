/** The weight of the latest batch in the moving average. */
const smoothing = 0.3

/** How fast items are evaluated. */
export class Throughput {
  /** How long the last batch took, in milliseconds. */
  lastBatchTime = 0
  private perItem = 0

  record(items: number, milliseconds: number): void {
    this.lastBatchTime = milliseconds
    const perItem = milliseconds / items
    this.perItem = this.perItem === 0 ? perItem : this.perItem + smoothing * (perItem - this.perItem)
  }

  /** The estimated time to evaluate `items` items: from 1 to 60 seconds. */
  secondsFor(items: number): number {
    return Math.min(60, Math.max(1, Math.ceil((items * this.perItem) / 1000)))
  }
}
