/** Worker threads for jobs of plain data. */

export { importInThreads } from './imports.js'
export type { ThreadModule } from './protocol.js'
export { packRows, unpackRows } from './rows.js'
export type { Rows } from './rows.js'
export { SharedThreads } from './shared-threads.js'
