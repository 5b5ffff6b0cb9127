import { isSallyportError } from '@sallyport/core'

/** The error of the table that this throws. */
export const errorOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    if (isSallyportError(error)) return { code: error.code, details: error.details as object }
    throw error
  }
  return undefined
}
