import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import type { SallyportError } from '@sallyport/core'

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

/** Whether the work failed because a registry is out of reach. */
export const isUnreachable = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.includes('registry cannot be reached'),
  )
