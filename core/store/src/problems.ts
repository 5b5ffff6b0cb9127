/** Errors of the store, and how messages show names that others chose. */

import { extname } from 'node:path'
import { failure, isSallyportError, systemCode } from '@sallyport/core'
import type { SallyportError, RequiredFile } from '@sallyport/core'
import { withoutControls } from '@sallyport/kit/text'

const maxShown = 200

/** A reference for messages: on one line, not too long, without control characters. */
export const printable = (text: string): string => {
  const clean = withoutControls(text)
  return clean.length > maxShown ? `${clean.slice(0, maxShown)}…` : clean
}

export const modelFiles = (model: string, problem: string, cause?: unknown): SallyportError =>
  failure('model_files', { model: printable(model), problem }, cause === undefined ? {} : { cause })

/** Why one source could not provide a file; others are tried next. */
export class SourceError extends Error {
  /** @param resumable whether what has arrived so far is worth keeping */
  constructor(
    problem: string,
    readonly resumable = false,
    cause?: unknown,
  ) {
    super(problem, { cause })
  }
}

/** The refusal of a model that would have to be fetched by a store that is offline. */
export const notFetched = (model: string, missing: readonly { readonly name: string }[] = []): SallyportError => {
  const names = missing.map(({ name }) => name).filter((name) => name !== model)
  const what = names.length ? `not in the cache: ${names.join(', ')}` : 'is not in the cache'
  const advice = `where there is a network, run: sallyport models pull ${model}`
  return modelFiles(model, `${what}; the store is offline; ${advice}`)
}

/** A required file in a message, with the names under which it was looked for. */
export const describeRequired = (role: string, { names }: RequiredFile): string =>
  names.length === 1 && names[0] === role ? role : `${role} (${names.join(' or ')})`

/** Whether weights of this name may have one of the formats (`.gguf`), as all without an extension may. */
export const isOfFormat = (name: string, formats: readonly string[]): boolean =>
  extname(name) === '' || formats.some((ending) => name.toLowerCase().endsWith(ending))

/** Refuses weights before they are fetched. @throws model_files */
export const refuseOtherFormats = (reference: string, name: string, formats: readonly string[] | undefined): void => {
  if (!formats || isOfFormat(name, formats)) return
  const problem = `its weights are ${printable(name)}, and the backend reads ${formats.join(', ')}`
  throw modelFiles(reference, `${problem}: choose another model or another backend`)
}

const diskFullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']
const notWritableCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR']

export const diskFull = (directory: string, cause?: unknown): SallyportError =>
  failure(
    'insufficient_storage',
    { problem: `no space left in ${directory}: free some, or set SALLYPORT_HOME to a directory on a larger disk` },
    { cause },
  )

/** Explains errors of writing to the cache that the user can mend; others stay as they are. */
export const storageError = (error: unknown, directory: string): unknown => {
  if (isSallyportError(error)) return error
  const code = systemCode(error) ?? ''
  if (diskFullCodes.includes(code)) return diskFull(directory, error)
  if (!notWritableCodes.includes(code)) return error
  const problem = `cannot write to ${directory} (${code}): check its permissions, or set SALLYPORT_HOME to another one`
  return failure('insufficient_storage', { problem }, { cause: error })
}
