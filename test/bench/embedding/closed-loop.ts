import { setTimeout as sleep } from 'node:timers/promises'
import { timed } from '../adapter/open-loop.js'

/**
 * Every client asks again as soon as it is answered.
 * @returns answers per second, of all clients together
 */
export const closedLoop = async (clients: readonly (() => Promise<unknown>)[], seconds: number): Promise<number> => {
  const started = performance.now()
  const until = started + seconds * 1000
  let answers = 0
  const work = async (ask: () => Promise<unknown>) => {
    do {
      await ask()
      answers += 1
    } while (performance.now() < until)
  }
  await Promise.all(clients.map(work))
  return (answers / (performance.now() - started)) * 1000
}

/** Milliseconds. */
const pause = 20

/**
 * Calls one after the other, each of them with a pause before it: nothing is left of the last one.
 * @returns milliseconds of each call
 */
export const oneByOne = async (calls: number, call: () => Promise<unknown>): Promise<number[]> => {
  const times: number[] = []
  for (let done = 0; done < calls; done += 1) {
    await sleep(pause)
    times.push(await timed(call))
  }
  return times
}
