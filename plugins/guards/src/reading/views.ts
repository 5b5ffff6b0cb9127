import { append } from '@sallyport/kit/lists'
import { plainReading } from '@sallyport/kit/views'
import type { Pacer } from '@sallyport/kit/async'
import { cipheredViews } from './ciphered.js'
import { encodedView } from './encoded.js'
import { inOwnScript } from './own-script.js'
import { invisibleView } from './selectors.js'
import { turnedView } from './turned.js'
import { revealedView, spelledView } from './unfolded.js'
import { plainView } from './view.js'
import type { View } from './view.js'

/** The ways to read a text: without invisible characters and look-alikes first, then what is hidden in it. */
export const viewsOf = async (text: string, pacer: Pacer): Promise<View[]> => {
  const read = plainView(await plainReading(text, pacer))
  const plain = { ...read, text: inOwnScript(read.text) }
  const carried = [await encodedView(plain, pacer), await invisibleView(text, pacer)]
  const views: View[] = []
  const hidden: View[] = []
  for (const view of [plain, ...carried.filter((view) => view !== undefined)]) {
    const joined = await spelledView(view, pacer)
    // Its heads read all of it: of the text that it was made of, they have read nothing.
    const whole = joined ? { text: joined.text, place: joined.place, hidden: true } : view
    append(views, joined ? [{ ...view, spelled: true }, whole] : [view])
    const revealed = await revealedView(whole, pacer)
    const turned = await turnedView(view, pacer)
    const light = [...(turned ? [turned] : []), ...(await cipheredViews(view, pacer))]
    append(hidden, [...(revealed ? [revealed] : []), ...light.map((other) => ({ ...other, light: true }))])
  }
  return [...views, ...hidden]
}
