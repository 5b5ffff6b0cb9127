import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { Randomness } from '../random/randomness.js'
import { sample } from '../regex/sample.js'
import type { CompiledPattern } from '../regex/compile.js'

/** Makes a text of about `length` characters. */
type Attack = (length: number) => string

const repeatedText =
  (before: string, part: string, after: string): Attack =>
  (length) =>
    before + part.repeat(Math.ceil(length / part.length)) + after

const parser = new RegExpParser({ ecmaVersion: 2024 })

/** Makers of texts that repeat what a pattern repeats, and then fail to match. */
export const attacksOn = (regex: RegExp): Attack[] => {
  const random = new Randomness(Buffer.from('attacks'), regex.source)
  const flags = regex.flags.replace(/[gy]/g, '')
  const parts = new Set<string>([' ', '0', 'a', 'A', '1 ', 'a.', 'Aa ', '-', '@'])
  visitRegExpAST(parser.parsePattern(regex.source, undefined, undefined, { unicode: true }), {
    onQuantifierEnter: ({ element }) => {
      for (let times = 0; times < 2; times += 1) parts.add(sample(new RegExp(element.raw, flags), random))
    },
  })
  for (let times = 0; times < 2; times += 1) parts.add(sample(regex, random))
  return [...parts]
    .filter((part) => part.length > 0)
    .flatMap((part) => [
      repeatedText('', part, ''),
      repeatedText('', part, '\u0000'),
      repeatedText(sample(regex, random).slice(0, 3), part, '!'),
    ])
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

/** Measures how many milliseconds a pattern takes to search a text. */
export type SearchTimer = (pattern: RegExp, text: string) => number

export const timeOf: SearchTimer = (pattern, text) =>
  cpuTimeOf(() => {
    const found = text.matchAll(pattern)
    while (!found.next().done);
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
  const attacks = attacksOn(regex)
  checkOn(regex, { attacks, maxLength: maxTextLength, timer })
  // The pattern for partial matches reads only the end of a text.
  checkOn(partial, { attacks, maxLength: Math.min(maxTextLength, maxLength + lookaheadLength), timer })
}

interface Trial {
  readonly attacks: readonly Attack[]
  /** The maximum length of a text in characters. */
  readonly maxLength: number
  readonly timer: SearchTimer
}

const checkOn = (pattern: RegExp, { attacks, maxLength, timer }: Trial): void => {
  for (const attack of attacks) {
    const times = new Map<number, number>()
    for (let length = 16; length <= maxLength; length = length < 64 ? length + 4 : length * 2) {
      const measured = (characters: number) => timer(pattern, attack(characters))
      const isSlow = (time: number, quarter: number) => time > maxGrowth * Math.max(minTime, quarter)
      const time = Math.min(measured(length), measured(length))
      times.set(length, time)
      if (!isSlow(time, times.get(length / 4) ?? 0)) continue
      const isConfirmed = Array.from({ length: confirmations }).every(() =>
        isSlow(measured(length), measured(length / 4)),
      )
      if (isConfirmed)
        throw new Error(
          `takes more than linear time: more than ${maxGrowth} times as much for ${length} characters as for a quarter of them`,
        )
    }
  }
}
