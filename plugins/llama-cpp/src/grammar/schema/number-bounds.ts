/** Regular expressions for decimals on one side of a bound, all without exponents. */

interface Decimal {
  readonly whole: string
  /** The digits after the point. Only zeros are the same as none. */
  readonly fraction: string
}

const anyFraction = '(?:\\.\\d+)?'
const anyDecimal = `(?:0|[1-9]\\d*)${anyFraction}`

export const atLeast = (bound: number, exclusive: boolean): string => {
  if (bound > 0 || (bound === 0 && exclusive)) return aboveUnsigned(decimalOf(bound), exclusive)
  if (bound === 0) return anyDecimal
  return `${anyDecimal}|-(?:${belowUnsigned(decimalOf(-bound), exclusive)})`
}

export const atMost = (bound: number, exclusive: boolean): string => {
  if (bound < 0 || (bound === 0 && exclusive)) return `-(?:${aboveUnsigned(decimalOf(-bound), exclusive)})`
  return `-${anyDecimal}|${belowUnsigned(decimalOf(bound), exclusive)}`
}

const decimalOf = (value: number): Decimal => {
  const [whole = '0', fraction = ''] = String(value).split('.')
  return { whole, fraction }
}

const aboveUnsigned = ({ whole, fraction }: Decimal, exclusive: boolean): string => {
  const more = `(?:${[...greaterDigits(whole), `[1-9]\\d{${whole.length},}`].join('|')})${anyFraction}`
  if (!isZero(fraction)) return `${more}|${whole}\\.(?:${fractionAbove(fraction, exclusive)})`
  return `${more}|${whole}${exclusive ? '\\.0*[1-9]\\d*' : anyFraction}`
}

const belowUnsigned = ({ whole, fraction }: Decimal, exclusive: boolean): string => {
  const shorter = whole.length > 1 ? ['0', `[1-9]\\d{0,${whole.length - 2}}`] : []
  const wholes = [...shorter, ...lesserDigits(whole)]
  const less = wholes.length ? [`(?:${wholes.join('|')})${anyFraction}`] : []
  if (!isZero(fraction)) less.push(`${whole}(?:\\.(?:${fractionBelow(fraction, exclusive)}))?`)
  else if (!exclusive) less.push(`${whole}(?:\\.0+)?`)
  return less.join('|')
}

/** Patterns of the greater numbers with as many digits, without a leading zero. */
const greaterDigits = (digits: string): string[] =>
  Array.from(digits).flatMap((digit, index) =>
    digit === '9' ? [] : [`${digits.slice(0, index)}${range(Number(digit) + 1, 9)}\\d{${digits.length - index - 1}}`],
  )

const lesserDigits = (digits: string): string[] =>
  Array.from(digits).flatMap((digit, index) => {
    const low = index === 0 && digits.length > 1 ? 1 : 0
    return Number(digit) <= low
      ? []
      : [`${digits.slice(0, index)}${range(low, Number(digit) - 1)}\\d{${digits.length - index - 1}}`]
  })

const fractionAbove = (fraction: string, exclusive: boolean): string => {
  if (isZero(fraction)) return exclusive ? '0*[1-9]\\d*' : '\\d*'
  const [digit = '0'] = fraction
  const above = digit === '9' ? [] : [`${range(Number(digit) + 1, 9)}\\d*`]
  return [...above, `${digit}(?:${fractionAbove(fraction.slice(1), exclusive)})`].join('|')
}

const fractionBelow = (fraction: string, exclusive: boolean): string => {
  const [digit = '0'] = fraction
  const rest = fraction.slice(1)
  const below = digit === '0' ? [] : [`${range(0, Number(digit) - 1)}\\d*`]
  if (!isZero(rest)) below.push(`${digit}(?:${fractionBelow(rest, exclusive)})?`)
  else if (!exclusive) below.push(`${digit}0*`)
  return below.join('|')
}

const range = (from: number, to: number): string => `[${from}-${to}]`

const isZero = (fraction: string): boolean => /^0*$/.test(fraction)
