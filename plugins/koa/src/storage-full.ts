/** The errors for a full disk. */

import { failure, systemCode } from '@sallyport/core'

/** SQLite reports the last of these codes where it cannot make room for the shared memory of its write-ahead log. */
const storageFullCodes: ReadonlySet<string | undefined> = new Set([
  'ENOSPC',
  'EDQUOT',
  'SQLITE_FULL',
  'SQLITE_IOERR_SHMSIZE',
])

export const isStorageFull = (error: unknown): boolean => storageFullCodes.has(systemCode(error))

/** @param problem says what could not be done, and what to do */
export const storageFull = (problem: string, cause: unknown): Error =>
  failure('insufficient_storage', { problem: `storage full: ${problem}` }, { cause })

/** The error for a client whose upload could not be written: insufficient_storage, or internal. */
export const diskFailure = (error: unknown): Error =>
  isStorageFull(error)
    ? storageFull('there is no room for uploads: try again later', error)
    : failure('internal', {}, { cause: error })
