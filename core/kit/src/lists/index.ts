/** Helpers for long lists. They import nothing else of the kit, since some processes load only them. */

export { append } from './append.js'
export { maxOf, minOf } from './extremes.js'
export { LruCache } from './lru-cache.js'
export { countUpTo } from './count-up-to.js'
export { firstRepeated } from './repeated.js'
