/** Weight of the newest request in the average. */
const newest = 0.1

/** Average time that requests take, for telling others when to try again. */
export class ServiceTime {
  private average: number | undefined

  add(milliseconds: number): void {
    this.average = this.average === undefined ? milliseconds : this.average + newest * (milliseconds - this.average)
  }

  get milliseconds(): number {
    return this.average ?? 1000
  }
}
