/** By itself, for processes that load nothing else of the core. */

export { append } from './append.js'
export { maxOf, minOf } from './extremes.js'
export { RecentlyUsed } from './recently-used.js'
