import { failure } from '@sallyport/core'

/** The value of an option that takes a number. @throws invalid_request */
export const numberOf = (field: string, written: string, least: number, most: number): number => {
  const number = Number(written.trim() || NaN)
  if (number >= least && number <= most) return number
  throw failure('invalid_request', { field, problem: `must be a number from ${least} to ${most}` })
}
