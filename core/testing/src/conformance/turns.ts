import { setImmediate as nextTurn } from 'node:timers/promises'
import { Pacer } from '@sallyport/kit/async'
import { testCall } from './support.js'

/** Lets other work run whenever it may, however fast the machine is. */
class EveryTurn extends Pacer {
  override get isDue(): boolean {
    return true
  }

  override pause(): Promise<void> {
    return nextTurn()
  }
}

/** How often paced work lets other work run: with its pacer, each pause is a turn of the event loop. */
export const turnsBeside = async (work: (pacer: Pacer) => Promise<unknown>): Promise<number> => {
  let [count, done] = [0, false]
  const working = work(new EveryTurn(testCall())).finally(() => (done = true))
  for (; !done; count += 1) await nextTurn()
  await working
  return count
}
