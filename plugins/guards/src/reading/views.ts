import { plainReading } from '@sallyport/core'
import type { Turns } from '@sallyport/core'
import { encodedViews } from './encoded.js'
import { unfoldedView } from './unfolded.js'
import { plainView } from './view.js'
import type { View } from './view.js'

/** The ways to read a text: without invisible characters and look-alikes first, then what is hidden in it. */
export const viewsOf = async (text: string, turns: Turns): Promise<View[]> => {
  const plain = plainView(await plainReading(text, turns))
  const unfolded = await unfoldedView(plain, turns)
  return [plain, ...(unfolded ? [unfolded] : []), ...(await encodedViews(plain, turns))]
}
