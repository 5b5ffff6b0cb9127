import { inOriginal } from '@sallyport/kit/views'
import type { PlainReading } from '@sallyport/kit/views'
import type { Pacer } from '@sallyport/kit/async'
import { encodedAt, encodedMatches } from './encoded.js'
import { Held } from '../patterns/held.js'
import { findingsOf } from './find.js'
import type { Found, Search } from './find.js'

/**
 * What the recognisers find, in units of the original.
 * @param from where matches may begin, in the original
 */
export const findAll = async (reading: PlainReading, search: Search, pacer: Pacer, from = 0): Promise<Found[]> => {
  const found: Found[] = []
  const held = await Held.of(reading.text, pacer)
  const first = readAt(reading, from)
  for (const compiled of search.recognizers)
    for (const finding of findingsOf(reading.text, compiled, search, { held, first })) {
      if (finding) found.push({ ...finding, ...inOriginal(reading, finding.start, finding.end) })
      await pacer.pause()
    }
  for (const match of encodedMatches(reading.text, search.recognizers, { first })) {
    const finding = match && encodedAt(reading.text, match, search)
    if (finding) found.push({ ...finding, ...inOriginal(reading, finding.start, finding.end) })
    await pacer.pause()
  }
  return found
}

/** Where a unit of the original, or the next that is read, stands in the reading. */
const readAt = ({ text, places }: PlainReading, unit: number): number => {
  if (!places) return unit
  let at = 0
  while (at < text.length && (places.starts[at] ?? 0) < unit) at += 1
  return at
}
