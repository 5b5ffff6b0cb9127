/** Errors of the store, and what is shown of names that others chose. */

import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'

const longestShown = 200

/** A reference as it may stand in a message: on one line, not too long, without control characters. */
export const shown = (text: string): string => {
  const clean = text.replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')
  return clean.length > longestShown ? `${clean.slice(0, longestShown)}…` : clean
}

export const modelFiles = (model: string, problem: string, cause?: unknown): SallyportError =>
  failure('model_files', { model: shown(model), problem }, cause === undefined ? {} : { cause })

const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']
const closedCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

export const isDiskFull = (error: unknown): boolean => fullCodes.includes(systemCode(error) ?? '')

export const diskFull = (directory: string, cause?: unknown): SallyportError =>
  failure(
    'insufficient_storage',
    { problem: `no space left in ${directory}: free some, or set SALLYPORT_HOME to a directory on a larger disk` },
    { cause },
  )

/** Errors of writing to the cache that the user can do something about; others as they are. */
export const storageError = (error: unknown, directory: string): unknown => {
  if (isSallyportError(error)) return error
  if (isDiskFull(error)) return diskFull(directory, error)
  const code = systemCode(error) ?? ''
  if (!closedCodes.includes(code)) return error
  const problem = `cannot write to ${directory} (${code}): check its permissions, or set SALLYPORT_HOME to another one`
  return failure('insufficient_storage', { problem }, { cause: error })
}
