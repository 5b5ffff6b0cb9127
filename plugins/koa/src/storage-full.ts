/** What a full disk is to those who ask. */

import { failure, systemCode } from '@sallyport/core'

/** SQLite says the last one where it cannot make room for its index of changes. */
const codes: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE'])

export const isFull = (error: unknown): boolean => codes.has(systemCode(error))

/** @param problem what could not be done, and what to do */
export const storageFull = (problem: string, cause: unknown): Error =>
  failure('insufficient_storage', { problem: `storage full: ${problem}` }, { cause })

/** What the client is told of what the disk said of an upload: insufficient_storage, or internal. */
export const diskFailure = (error: unknown): Error =>
  isFull(error)
    ? storageFull('there is no room for uploads: try again later', error)
    : failure('internal', {}, { cause: error })
