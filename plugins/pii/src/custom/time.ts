import { visitRegExpAST } from '@eslint-community/regexpp'
import { Randomness } from '../random/randomness.js'
import { parse } from '../regex/parse.js'
import { sample } from '../regex/sample.js'
import type { CompiledPattern } from '../regex/compile.js'

/** Makes a text of about a length in UTF-16 code units. */
type Attack = (length: number) => string

/** Attacks that repeat what a pattern repeats, and then fail to match. */
export const attacksOn = (regex: RegExp): Attack[] => {
  const random = new Randomness(Buffer.from('attacks'), regex.source)
  const flags = regex.flags.replace(/[gy]/g, '')
  const parts = new Set<string>([' ', '0', 'a', 'A', '1 ', 'a.', 'Aa ', '-', '@'])
  visitRegExpAST(parse(regex), {
    onQuantifierEnter: ({ element }) => {
      for (let times = 0; times < 2; times += 1) parts.add(sample(new RegExp(element.raw, flags), random))
    },
  })
  for (let times = 0; times < 2; times += 1) parts.add(sample(regex, random))
  parts.delete('')
  return [...parts].flatMap((part) => {
    const repeated = (length: number) => part.repeat(Math.ceil(length / part.length))
    const begin = sample(regex, random).slice(0, 3)
    return [repeated, (length) => `${repeated(length)}\0`, (length) => `${begin}${repeated(length)}!`]
  })
}

/**
 * The factor by which the time may grow for a text four times as long: linear is 4, quadratic 16. Absolute times would
 * depend on the machine.
 */
export const maxGrowth = 9

/** Shorter times, in milliseconds, are noise. */
export const minTime = 0.5

const maxTextLength = 65_536

/** How many further measurements must agree that a pattern is slow, as other work of the process is measured, too. */
const confirmations = 5

/** Measures the milliseconds of a search. */
type SearchTimer = (pattern: RegExp, text: string) => number

export const timeOf: SearchTimer = (pattern, text) =>
  cpuTimeOf(() => {
    const matches = text.matchAll(pattern)
    while (!matches.next().done);
  })

/** The CPU time that the work takes, in milliseconds. */
export const cpuTimeOf = (work: () => void): number => {
  const begin = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}

/**
 * Tests a pattern against adversarial texts of growing length, so that a slow one is refused before it takes seconds.
 * @throws Error for a pattern that takes more than linear time
 */
export const checkTime = (
  { regex, partial, maxLength, lookaheadLength }: CompiledPattern,
  timer: SearchTimer = timeOf,
): void => {
  for (const attack of attacksOn(regex)) {
    checkGrowth((length) => timer(regex, attack(length)), maxTextLength)
    // The pattern for partial matches reads only the end of a text.
    checkGrowth((length) => timer(partial, attack(length)), Math.min(maxTextLength, maxLength + lookaheadLength))
  }
}

/** @param time the milliseconds of a search in a text of a length */
const checkGrowth = (time: (length: number) => number, maxLength: number): void => {
  const times = new Map<number, number>()
  const isSlow = (whole: number, quarter: number) => whole > maxGrowth * Math.max(minTime, quarter)
  for (let length = 16; length <= maxLength; length = length < 64 ? length + 4 : length * 2) {
    const best = Math.min(time(length), time(length))
    times.set(length, best)
    if (!isSlow(best, times.get(length / 4) ?? 0)) continue
    if (Array.from({ length: confirmations }).every(() => isSlow(time(length), time(length / 4))))
      throw new Error(
        `takes more than linear time: more than ${maxGrowth} times as much for ${length} characters as for a quarter of them`,
      )
  }
}
