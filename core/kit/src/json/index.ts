/** Plain data, and JSON. */

export { canonicalJson } from './canonical-json.js'
export { copyData, deepFreeze, dictionary, isForbiddenKey, isList, isRecord, pathOfPointer, showPath } from './data.js'
export type { Path } from './data.js'
