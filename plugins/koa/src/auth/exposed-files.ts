import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { keysDirectory } from './key-store.js'

/** The warning names at most this many files; the command in it fixes all of them. */
const maxNamesShown = 3

/**
 * The warning that other users can read or write the keys, with the command that fixes it; undefined where they cannot.
 */
export const exposedKeysWarning = (home: string): string | undefined => {
  // Windows has no POSIX modes.
  if (process.platform === 'win32') return undefined
  const directory = keysDirectory(home)
  const exposed = [directory, ...filesIn(directory)].filter((path) => isExposed(path))
  if (!exposed.length) return undefined
  const names = exposed.slice(0, maxNamesShown).map((path) => (path === directory ? 'the directory' : basename(path)))
  const more = exposed.length > maxNamesShown ? ` and ${exposed.length - maxNamesShown} more` : ''
  return `others can read or write the keys of the server (${names.join(', ')}${more}): chmod -R go= ${shellQuoted(directory)}`
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

export const shellQuoted = (text: string): string =>
  /^[\w@./:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
