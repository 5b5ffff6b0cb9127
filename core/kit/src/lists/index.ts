/** Long lists. By itself, for processes that load nothing else. */

export { append } from './append.js'
export { maxOf, minOf } from './extremes.js'
export { RecentlyUsed } from './recently-used.js'
export { countUpTo } from './sorted.js'
