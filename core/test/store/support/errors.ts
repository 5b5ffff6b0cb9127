import { expect } from 'chai'
import { isSallyportError } from '../../../src/errors/index.js'
import type { SallyportError } from '../../../src/errors/index.js'

/** The error of the table that the work ends in. */
export const errorOf = async (work: Promise<unknown>): Promise<SallyportError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (isSallyportError(error)) return error
  if (error instanceof Error) throw error
  expect.fail('should have failed')
}
