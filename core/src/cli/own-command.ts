import { realpathSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../bin/sallyport.mjs', import.meta.url))

/**
 * How this installation's command line is called from a directory, for messages: `npx sallyport` where that is this one
 * (elsewhere it would ask the public registry for a package of that name), or else `node <path>`.
 */
export const ownCommand = (directory = process.cwd()): string => {
  if (isLinked(directory)) return 'npx sallyport'
  const inside = relative(directory, program)
  const path = inside.startsWith('..') ? program : inside
  return `node ${/^[\w@./\\:-]+$/.test(path) ? path : JSON.stringify(path)}`
}

const isLinked = (directory: string): boolean => {
  try {
    return realpathSync(`${directory}/node_modules/.bin/sallyport`) === realpathSync(program)
  } catch {
    return false
  }
}
