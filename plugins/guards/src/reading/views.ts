import { plainReading } from '@sallyport/core'
import type { Turns } from '@sallyport/core'
import { cipheredViews } from './ciphered.js'
import { encodedView } from './encoded.js'
import { invisibleView } from './selectors.js'
import { turnedView } from './turned.js'
import { unfoldedView } from './unfolded.js'
import { plainView } from './view.js'
import type { View } from './view.js'

/** The ways to read a text: without invisible characters and look-alikes first, then what is hidden in it. */
export const viewsOf = async (text: string, turns: Turns): Promise<View[]> => {
  const plain = plainView(await plainReading(text, turns))
  const carried = [await encodedView(plain, turns), await invisibleView(text, turns)]
  const views = [plain, ...carried.filter((view) => view !== undefined)]
  const hidden: View[] = []
  for (const view of views) {
    const unfolded = await unfoldedView(view, turns)
    const turned = await turnedView(view, turns)
    const light = [...(turned ? [turned] : []), ...(await cipheredViews(view, turns))]
    hidden.push(...(unfolded ? [unfolded] : []), ...light.map((other) => ({ ...other, light: true })))
  }
  return [...views, ...hidden]
}
