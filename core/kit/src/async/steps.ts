import type { Pacer } from './pacer.js'

/** Work in steps of some milliseconds: it yields between two of them. */
export type Steps<Result> = Generator<undefined, Result>

/** Does all steps, and leaves turns of the event loop to others between them. @throws what the pacer throws */
export const runPaced = async <Result>(steps: Steps<Result>, pacer: Pick<Pacer, 'pause'>): Promise<Result> => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pacer.pause()
  }
}

/** Does all steps without a pause. */
export const runSteps = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
