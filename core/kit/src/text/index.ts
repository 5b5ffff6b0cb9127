/** Texts, and what is said to people. */

export { codePointOffsets, countCodePoints } from './code-points.js'
export { alignColumns } from './columns.js'
export { firstBytes } from './first-bytes.js'
export { didYouMean, nearest } from './nearest.js'
export { formatBytes } from './units.js'
