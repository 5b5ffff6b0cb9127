/** Work for a thread: the readings of a long text, but for the text as it stands. */

import type { ThreadModule } from '../threads/protocol.js'
import type { PackedReading, TextBehind } from './long-readings.js'
import { positionsOf } from './positions.js'
import { readingsBehind } from './readings.js'

const readOthers = ({ before, text }: TextBehind): PackedReading[] =>
  readingsBehind(before, text)
    .slice(1)
    .map(({ depth, before, text, sourceOf }) => ({
      depth,
      before,
      text,
      starts: positionsOf(text.length, (at) => sourceOf({ start: at, end: at }).start),
      ends: positionsOf(text.length, (at) => sourceOf({ start: at, end: at }).end),
    }))

const module: ThreadModule<undefined, TextBehind, PackedReading[]> = () => readOthers

export default module
