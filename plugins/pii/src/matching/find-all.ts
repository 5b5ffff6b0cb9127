import { positionOf } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import type { Pacer } from '@sallyport/kit/async'
import { encodedIn, foundInRow } from './encoded.js'
import { Held } from '../patterns/held.js'
import { findingsOf } from './find.js'
import type { Found, Search } from './find.js'

/**
 * What the recognisers find, in units of the original.
 * @param from where matches may begin, in the original
 */
export const findAll = async (reading: View, search: Search, pacer: Pacer, from = 0): Promise<Found[]> => {
  const found: Found[] = []
  const held = await Held.of(reading.text, pacer)
  const first = positionOf(reading, from)
  for (const compiled of search.recognizers)
    for (const finding of findingsOf(reading.text, compiled, search, { held, first })) {
      if (finding) found.push({ ...finding, ...reading.sourceOf(finding) })
      await pacer.pause()
    }
  for (const row of encodedIn(reading.text, search, { first })) {
    const finding = row && foundInRow(row, search)
    if (finding) found.push({ ...finding, ...reading.sourceOf(finding) })
    await pacer.pause()
  }
  return found
}
