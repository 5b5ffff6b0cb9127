/** The remainder of Luhn's sum: 0 for a valid number. */
export const luhn = (number: string): number => {
  const digits = (number.match(/\d/g) ?? []).map(Number).reverse()
  const weighted = digits.map((digit, position) => (position % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2))
  return weighted.reduce((sum, digit) => sum + digit, 0) % 10
}
