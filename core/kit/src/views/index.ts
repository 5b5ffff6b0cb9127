/** A text as detectors read it: as it stands, and with what hides in it undone. */

export type { Span } from './edited.js'
export { behindEscape } from './json-escapes.js'
export { firstFrom, isJson, isJsonInTime, stringSpans, stringsIn } from './json-text.js'
export { readingsInTime } from './long-readings.js'
export { inOriginal, plainReading, plainText } from './plain/reading.js'
export type { PlainReading } from './plain/reading.js'
export { asItStands, positionOf, readingsOf, unescaped, writtenAt } from './readings.js'
export type { Reading, ReadingBehind } from './readings.js'
