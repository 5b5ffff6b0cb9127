/** Work for a thread: the readings of a long text, except the original. */

import type { ThreadModule } from '../threads/protocol.js'
import type { PackedReading, TextAfter } from './long-readings.js'
import { positionsOf } from './positions.js'
import { readingsAfter } from './readings.js'

const readOthers = ({ before, text }: TextAfter): PackedReading[] =>
  readingsAfter(before, text)
    .slice(1)
    .map(({ depth, before, text, sourceOf }) => ({
      depth,
      before,
      text,
      starts: positionsOf(text.length, (at) => sourceOf({ start: at, end: at }).start),
      ends: positionsOf(text.length, (at) => sourceOf({ start: at, end: at }).end),
    }))

const module: ThreadModule<undefined, TextAfter, PackedReading[]> = () => readOthers

export default module
