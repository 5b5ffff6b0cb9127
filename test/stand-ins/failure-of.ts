import { isSallyportError } from '@sallyport/core'

/** Code and message of what the promise is rejected with. */
export const failureOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    if (isSallyportError(error)) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error('expected a failure')
}
