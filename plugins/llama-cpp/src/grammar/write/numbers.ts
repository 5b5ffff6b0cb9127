import { maxOf } from '@sallyport/kit/lists'
import { asItIs, AutomatonTooLarge, explore, ofTexts } from '../automaton/automaton.js'
import type { Automaton, Edge, Spend } from '../automaton/automaton.js'
import { compileConstant } from '../automaton/compile.js'
import { intersection } from '../automaton/product.js'
import type { Patterns } from '../schema/patterns.js'
import type { NumberVariant } from '../schema/variant.js'
import { atLeast, atMost } from './number-bounds.js'

/** A double keeps decimals of so many digits apart, so that what is on one side of a bound stays there. */
const digits = 15
/** Of the integer part, where there are bounds and fractions. */
const wholeDigits = 9

const integers = (most: number): string => `^(?:0|-?[1-9]\\d{0,${most - 1}})$`
const decimals = (whole: number): string => `^-?(?:0|[1-9]\\d{0,${whole - 1}})(?:\\.\\d{1,${digits - whole}})?$`
/** Far from what becomes infinite. */
const scientific = `^-?(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,${digits}})?(?:[eE][+-]?\\d{1,2})?$`

/**
 * JSON texts of the numbers. Integers are written without fraction and exponent; so are decimals with bounds.
 * @throws AutomatonTooLarge
 */
export const numberAutomaton = (variant: NumberVariant, patterns: Patterns): Automaton => {
  const { values, integer, least, most, multiples } = variant
  if (values) return ofTexts(values.map((value) => JSON.stringify(value)))
  const bounded = isFinite(least.value) || isFinite(most.value)
  if (!integer && !bounded) return compileConstant(scientific)
  if (multiples.length === 0) return within(variant, digits, patterns)
  try {
    return divisible(
      within(variant, digits, patterns),
      multiples.map(({ value }) => value),
      patterns.spend,
    )
  } catch (error) {
    if (!(error instanceof AutomatonTooLarge)) throw error
    return divisible(
      within(variant, 5, patterns),
      multiples.map(({ value }) => value),
      patterns.spend,
    )
  }
}

const within = ({ integer, least, most }: NumberVariant, length: number, patterns: Patterns): Automaton => {
  const bounds = [least.value, most.value].filter((value) => Math.abs(value) < 10 ** digits)
  const whole = maxOf(
    bounds.map((value) => String(Math.trunc(Math.abs(value))).length),
    wholeDigits,
  )
  const base = compileConstant(integer ? integers(length) : whole < digits ? decimals(whole) : integers(digits))
  const conditions = [
    ...(bounds.includes(least.value) ? [atLeast(least.value, least.exclusive)] : []),
    ...(bounds.includes(most.value) ? [atMost(most.value, most.exclusive)] : []),
  ]
  return conditions.reduce(
    (numbers, condition) => intersection(numbers, patterns.sureAutomaton(`^(?:${condition})$`), patterns.spend),
    base,
  )
}

const divisible = (numbers: Automaton, divisors: readonly number[], spend: Spend): Automaton =>
  divisors.reduce((all, divisor) => intersection(all, multiplesOf(divisor, spend), spend), numbers)

/** Remainders, digit by digit; the sign changes nothing. */
const multiplesOf = (divisor: number, spend: Spend): Automaton =>
  explore<number>(spend, 0, asItIs, (remainder, to) => {
    const next = Array.from({ length: 10 }, (_, digit): Edge => {
      const code = 0x30 + digit
      return { from: code, to: code, target: to((remainder * 10 + digit) % divisor) }
    })
    return { accepts: remainder === 0, edges: [{ from: 0x2d, to: 0x2d, target: to(0) }, ...next] }
  })
