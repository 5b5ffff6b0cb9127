import { expect } from 'chai'
import { isSallyportError } from '@sallyport/core'
import type { ErrorCode, SallyportError } from '@sallyport/core'

/** What the work is rejected with. */
export const rejection = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (error) {
    return error
  }
  return expect.fail('it did not fail')
}

/** The error of the table that the work ends in, with that code where one is given. */
export const errorOf = async (work: Promise<unknown>, code?: ErrorCode): Promise<SallyportError> => {
  const error = await rejection(work)
  if (!isSallyportError(error)) throw error
  if (code) expect(error.code, error.message).to.equal(code)
  return error
}

/** Its code and message. */
export const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const { code, message } = await errorOf(work)
  return `${code}: ${message}`
}

/** Its code, or the text of an error that is not of the table. */
export const codeOf = async (work: Promise<unknown>): Promise<string> => {
  const error = await rejection(work)
  return isSallyportError(error) ? error.code : String(error)
}

/** Whether the work failed because a registry is out of reach. */
export const isUnreachable = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => error instanceof Error && error.message.includes('registry cannot be reached'),
  )
