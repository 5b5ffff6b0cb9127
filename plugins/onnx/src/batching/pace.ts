/** How much the last batch counts. */
const weight = 0.3

/** How fast items are evaluated. */
export class Pace {
  /** Of the last batch. */
  milliseconds = 0
  private perItem = 0

  evaluated(items: number, milliseconds: number): void {
    this.milliseconds = milliseconds
    const perItem = milliseconds / items
    this.perItem = this.perItem === 0 ? perItem : this.perItem + weight * (perItem - this.perItem)
  }

  /** In which so many items are evaluated: 1 to 60. */
  secondsFor(items: number): number {
    return Math.min(60, Math.max(1, Math.ceil((items * this.perItem) / 1000)))
  }
}
