/** Opens and checks the database of stored responses, and translates its errors for clients. */

import { chmodSync, closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { failure, isSallyportError, loggable, systemCode } from '@sallyport/core'
import type Database from 'libsql'
import { isStorageFull, storageFull } from '../storage-full.js'

/** The version of the tables below. */
const version = 3

/** Columns of texts hold bytes where these are encrypted. */
const tables = `
  CREATE TABLE responses (
    tenant TEXT NOT NULL, id TEXT NOT NULL, previous TEXT, created INTEGER NOT NULL, bytes INTEGER NOT NULL,
    response TEXT NOT NULL, input TEXT NOT NULL, output TEXT NOT NULL,
    PRIMARY KEY (tenant, id)
  );
  CREATE INDEX oldest ON responses (created);
  CREATE INDEX oldest_of_tenant ON responses (tenant, created);
  CREATE TABLE items (
    tenant TEXT NOT NULL, id TEXT NOT NULL, response TEXT NOT NULL, item TEXT NOT NULL,
    PRIMARY KEY (tenant, id),
    FOREIGN KEY (tenant, response) REFERENCES responses (tenant, id) ON DELETE CASCADE
  );
  CREATE INDEX items_of_response ON items (tenant, response);
  CREATE TABLE totals (tenant TEXT PRIMARY KEY, bytes INTEGER NOT NULL);
  CREATE TRIGGER added AFTER INSERT ON responses BEGIN
    INSERT INTO totals VALUES (new.tenant, new.bytes)
      ON CONFLICT (tenant) DO UPDATE SET bytes = bytes + new.bytes;
  END;
  CREATE TRIGGER removed AFTER DELETE ON responses BEGIN
    UPDATE totals SET bytes = bytes - old.bytes WHERE tenant = old.tenant;
    DELETE FROM totals WHERE tenant = old.tenant AND bytes <= 0;
  END;
  PRAGMA user_version = ${version};
`

/** Loaded when it is needed: it is native code, which not every machine has. */
const load = (): typeof Database => createRequire(import.meta.url)('libsql') as typeof Database

/** @throws config_invalid */
export const openDatabase = (path: string): Database.Database => {
  let database: Database.Database | undefined
  try {
    // Only its owner may read it; SQLite gives its WAL and shared-memory files the same mode.
    closeSync(openSync(path, 'a', 0o600))
    chmodSync(path, 0o600)
    database = new (load())(path)
    // Short, because waiting for a lock blocks the event loop.
    database.exec('PRAGMA busy_timeout = 100; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON')
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    prepare(database)
    return database
  } catch (error) {
    database?.close()
    const problem = isBusy(error) ? inUse : isStorageFull(error) ? noRoom : unusable
    throw failure('config_invalid', { where: path, problem, option: ['responses', 'store', 'path'] }, { cause: error })
  }
}

const inUse =
  'is in use by another process, which keeps it locked: nothing is wrong with it; try again, or end that process'

const noRoom = 'cannot be used to store responses, because the storage is full: make room on the disk'

const unusable =
  'cannot be used to store responses: it must be a file that the server may write, with nothing in it or ' +
  'with responses of this version, and not damaged; restore it, or delete it to begin anew'

/** Makes the tables where they are missing or of version 2, and checks version and integrity. */
const prepare = (database: Database.Database): void => {
  if (versionOf(database) !== version) database.transaction(() => makeTables(database)).immediate()
  const found = versionOf(database)
  if (found !== version) throw loggable(new Error(`the database is of another kind or version: ${found}`))
  const { quick_check: state } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
  if (state !== 'ok') throw loggable(new Error(`the database is damaged: ${state}`))
}

const versionOf = (database: Database.Database): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version

/** Makes the tables in an empty database. Those of version 2 are the same, but hold plain text, and one may be too many. */
const makeTables = (database: Database.Database): void => {
  if (versionOf(database) === 2) database.exec(`DROP TABLE IF EXISTS replaced; PRAGMA user_version = ${version}`)
  const { count } = database.prepare('SELECT count(*) AS count FROM sqlite_master').get() as { count: number }
  if (count === 0) database.exec(tables)
}

const storeFailure = (cause: unknown) =>
  isStorageFull(cause)
    ? storageFull('stored responses cannot be changed: try again later', cause)
    : failure('internal', {}, { cause })

/** The error for a response that was made but cannot be stored. */
export const notStored = (cause: unknown) => {
  const problem = 'the response could not be stored: send "store": false, or make room'
  if (isStorageFull(cause)) return storageFull(problem, cause)
  return failure('insufficient_storage', { problem }, { cause })
}

/** @throws overloaded where another process locks the database, else the error that `otherwise` makes */
export const withStoreErrors = <Result>(
  use: () => Result,
  otherwise: (cause: unknown) => Error = storeFailure,
): Result => {
  try {
    return use()
  } catch (error) {
    if (isSallyportError(error)) throw error
    if (!isBusy(error)) throw otherwise(error)
    const problem = 'the stored responses are in use by another server: try again'
    throw failure('overloaded', { problem }, { cause: error, retryAfter: 1 })
  }
}

const isBusy = (error: unknown): boolean => systemCode(error)?.startsWith('SQLITE_BUSY') ?? false
