/** Readings of texts; those of long texts are made in a thread. */

import type { Requester } from '../async/slots.js'
import { inThreadIfLong } from '../threads/shared-threads.js'
import { readingsAfter } from './readings.js'
import type { ReadingAfter } from './readings.js'
import { positionIn } from './positions.js'
import type { Positions } from './positions.js'
import { once } from './shared.js'
import { originalReading } from './view.js'

export interface TextAfter {
  readonly before: string
  readonly text: string
}

/** A reading as a thread sends it. */
export interface PackedReading extends TextAfter {
  readonly depth: number
  /** Where spans begin and end in the source. */
  readonly starts: Positions
  readonly ends: Positions
}

const module = new URL('./readings-thread.js', import.meta.url).href

/**
 * Like {@link readingsAfter}, but those of a long text are made in a thread, and several checks share them.
 * @throws safeguard_unavailable, overloaded, the signal's reason
 */
export const readingsInTime = (
  before: string,
  text: string,
  requester: Requester,
): Promise<readonly ReadingAfter[]> => {
  const input: TextAfter = { before, text }
  return once(before + text, `readings after ${before.length}`, requester, () =>
    inThreadIfLong<readonly PackedReading[], readonly ReadingAfter[]>({ module, input }, input, requester, {
      here: () => readingsAfter(before, text),
      unpack: (others) => [{ ...originalReading(text), before }, ...others.map(unpackReading)],
    }),
  )
}

const unpackReading = ({ depth, before, text, starts, ends }: PackedReading): ReadingAfter => ({
  depth,
  isOriginal: false,
  before,
  text,
  sourceOf: ({ start, end }) => ({ start: positionIn(starts, start), end: positionIn(ends, end) }),
})
