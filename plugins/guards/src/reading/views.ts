import { plainReading } from '@sallyport/core'
import type { Turns } from '@sallyport/core'
import { encodedView } from './encoded.js'
import { unfoldedView } from './unfolded.js'
import { plainView } from './view.js'
import type { View } from './view.js'

/** The ways to read a text: without invisible characters and look-alikes first, then what is hidden in it. */
export const viewsOf = async (text: string, turns: Turns): Promise<View[]> => {
  const plain = plainView(await plainReading(text, turns))
  const hidden = [await unfoldedView(plain, turns), await encodedView(plain, turns)]
  return [plain, ...hidden.filter((view) => view !== undefined)]
}
