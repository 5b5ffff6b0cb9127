import { failure, systemCode } from '@sallyport/core'

const noRoom: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT'])

/** What the client is told of what the disk said: overloaded, or internal. */
export const diskFailure = (error: unknown): Error =>
  noRoom.has(systemCode(error))
    ? failure('overloaded', { problem: 'there is no room for uploads: try again later' }, { cause: error })
    : failure('internal', {}, { cause: error })
