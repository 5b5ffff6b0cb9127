import { chmodSync, closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { systemCode } from '@sallyport/core'
import type Database from 'libsql'

/**
 * Locks a directory until the result is called or the process dies, however it dies: the lock is SQLite's on an empty
 * database, which is one of the system's on the file. So there is none to be taken over, process ids that were given
 * again do not matter, and it holds between containers that share the directory.
 * @returns undefined where a server, this or another process, has it
 */
export const lockDirectory = (directory: string): (() => void) | undefined => {
  const path = join(directory, 'lock')
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
  // Loaded when it is needed: it is native code, which not every machine has.
  const SQLite = createRequire(import.meta.url)('libsql') as typeof Database
  const database = new SQLite(path)
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (systemCode(error) === 'SQLITE_BUSY') return undefined
    throw error
  }
  return () => database.close()
}
