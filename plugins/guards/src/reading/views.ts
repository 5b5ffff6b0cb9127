import { plainReading } from '@sallyport/core'
import type { Pacer } from '@sallyport/core'
import { cipheredViews } from './ciphered.js'
import { encodedView } from './encoded.js'
import { invisibleView } from './selectors.js'
import { turnedView } from './turned.js'
import { unfoldedView } from './unfolded.js'
import { plainView } from './view.js'
import type { View } from './view.js'

/** The ways to read a text: without invisible characters and look-alikes first, then what is hidden in it. */
export const viewsOf = async (text: string, pacer: Pacer): Promise<View[]> => {
  const plain = plainView(await plainReading(text, pacer))
  const carried = [await encodedView(plain, pacer), await invisibleView(text, pacer)]
  const views = [plain, ...carried.filter((view) => view !== undefined)]
  const hidden: View[] = []
  for (const view of views) {
    const unfolded = await unfoldedView(view, pacer)
    const turned = await turnedView(view, pacer)
    const light = [...(turned ? [turned] : []), ...(await cipheredViews(view, pacer))]
    hidden.push(...(unfolded ? [unfolded] : []), ...light.map((other) => ({ ...other, light: true })))
  }
  return [...views, ...hidden]
}
