import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { keysIn } from './key-store.js'

/** Named in the warning; the command is for all. */
const maxNamed = 3

/** What is wrong with who may read or write the keys, and what to do; undefined where only their owner may. */
export const exposedKeys = (home: string): string | undefined => {
  // Windows has no such modes.
  if (process.platform === 'win32') return undefined
  const directory = keysIn(home)
  const exposed = [directory, ...filesIn(directory)].filter((path) => isExposed(path))
  if (!exposed.length) return undefined
  const names = exposed.slice(0, maxNamed).map((path) => (path === directory ? 'the directory' : basename(path)))
  const more = exposed.length > maxNamed ? ` and ${exposed.length - maxNamed} more` : ''
  return `others can read or write the keys of the server (${names.join(', ')}${more}): chmod -R go= ${quoted(directory)}`
}

const isExposed = (path: string): boolean => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0

const filesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory)
      .filter((name) => name === 'pepper' || name.endsWith('.json'))
      .map((name) => join(directory, name))
  } catch {
    return []
  }
}

const quoted = (path: string): string => (/^[\w@./:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
