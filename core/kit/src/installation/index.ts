/** Where this installation keeps its files, and how its command line is called. */

export { cacheDirectory, stateDirectory } from './directories.js'
export type { Environment } from './directories.js'
export { ownCommand } from './own-command.js'
