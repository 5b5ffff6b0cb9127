import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** The program of the command line, where its package is installed. */
const program = (): string | undefined => {
  try {
    const manifest = createRequire(import.meta.url).resolve('@sallyport/cli/package.json')
    return join(dirname(realpathSync(manifest)), 'bin/sallyport.mjs')
  } catch {
    return undefined
  }
}

/**
 * How this installation's command line is called from a directory, for messages: `npx sallyport` where the directory's
 * `node_modules/.bin/sallyport` is its program (elsewhere npx would ask the public registry for a package of that
 * name), otherwise `node <path>`; `sallyport` where it is not installed beside this package.
 */
export const ownCommand = (directory = process.cwd()): string => {
  const file = program()
  if (file === undefined) return 'sallyport'
  if (isLinked(directory, file)) return 'npx sallyport'
  const inside = relative(directory, file)
  const path = inside.startsWith('..') ? file : inside
  return `node ${/^[\w@./\\:-]+$/.test(path) ? path : JSON.stringify(path)}`
}

const isLinked = (directory: string, file: string): boolean => {
  try {
    return realpathSync(`${directory}/node_modules/.bin/sallyport`) === realpathSync(file)
  } catch {
    return false
  }
}
