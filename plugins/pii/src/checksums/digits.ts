/** Arithmetic of check digits. Characters other than digits are skipped. */

export const digitsOf = (text: string): number[] => Array.from(text.replace(/\D/g, ''), Number)

/** The weighted sum of values; surplus values and weights do not count. */
export const weighted = (values: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (values[index] ?? 0), 0)

export const areSameDigits = (text: string): boolean => /^(\d)\1*$/.test(text.replace(/\D/g, ''))

/** Modulo of a number of any length, by its decimal digits. */
export const modulo = (decimal: string, divisor: number): number => {
  let remainder = 0
  for (let from = 0; from < decimal.length; from += 7)
    remainder = Number(`${remainder}${decimal.slice(from, from + 7)}`) % divisor
  return remainder
}

/** Whether a date exists. Years may have two digits; each fourth year is taken for a leap year. */
export const isDate = (year: number, month: number, day: number): boolean => {
  const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  return day >= 1 && day <= days && (month !== 2 || day < 29 || year % 4 === 0)
}

export const twoDigits = (digits: string, from: number): number => Number(digits.slice(from, from + 2))
