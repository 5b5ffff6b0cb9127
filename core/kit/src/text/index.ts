/** Lengths of texts, and words for messages. */

export { characterStart, codePointOffsets, countCodePoints, withoutHalfPair } from './code-points.js'
export { alignColumns } from './columns.js'
export { linesWithoutControls, withoutControls } from './controls.js'
export { firstBytes } from './first-bytes.js'
export { didYouMean, nearest } from './nearest.js'
export { formatBytes } from './format-bytes.js'
