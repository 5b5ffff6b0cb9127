import { Pacer } from '@sallyport/core'
import type { Asking } from '@sallyport/core'
import type { Steps } from './batching/items.js'

/** What the steps make; between them others get their turns of the event loop. @throws the signal's reason */
export const paced = async <Result>(steps: Steps<Result>, asking: Asking): Promise<Result> => {
  const pacer = new Pacer(asking)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await pacer.pause()
  }
}
