/** Lets tasks that run side by side do a part of their work in the order in which they began. */
export class Sequence {
  private before: Promise<unknown> = Promise.resolve()

  /** @param task gets a promise that resolves when all tasks that began earlier have ended */
  run<Result>(task: (turn: Promise<unknown>) => Promise<Result>): Promise<Result> {
    const turn = this.before
    const result = task(turn)
    this.before = Promise.allSettled([turn, result])
    return result
  }
}
