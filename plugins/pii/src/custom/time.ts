import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'
import { Randomness } from '../replacement/randomness.js'
import { sample } from '../regex/sample.js'
import type { CompiledPattern } from '../regex/compile.js'

/** Makes a text of so many characters. */
type Attack = (length: number) => string

const filled =
  (before: string, part: string, after: string): Attack =>
  (length) =>
    before + part.repeat(Math.ceil(length / part.length)) + after

const parser = new RegExpParser({ ecmaVersion: 2024 })

/** Texts that repeat what a pattern repeats, and then do not fit. */
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
      filled('', part, ''),
      filled('', part, '\u0000'),
      filled(sample(regex, random).slice(0, 3), part, '!'),
    ])
}

/**
 * How much more time four times the text may take: linear is 4, quadratic 16. How many milliseconds it takes says more
 * of the machine than of the pattern.
 */
export const growth = 9

/** Milliseconds below which a time says nothing. */
export const noise = 0.5

const maxTextLength = 65_536

/** How often a pattern must seem slow before it is: whatever else the process does takes processor time, too. */
const proofs = 5

/** Milliseconds in which a pattern searches a text. */
export type Clock = (pattern: RegExp, text: string) => number

export const timeOf: Clock = (pattern, text) =>
  processorTime(() => {
    const found = text.matchAll(pattern)
    while (!found.next().done);
  })

/** In milliseconds: what other processes take does not count. */
export const processorTime = (work: () => void): number => {
  const begin = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}

/**
 * Tries a pattern on texts that are made to take it long, from short ones on: one that takes more than linear time is
 * given up before it takes seconds.
 * @throws Error
 */
export const checkTime = ({ regex, growing, maxLength, behind }: CompiledPattern, clock: Clock = timeOf): void => {
  const attacks = attacksOn(regex)
  checkOn(regex, { attacks, max: maxTextLength, clock })
  // It reads the end of a text only.
  checkOn(growing, { attacks, max: Math.min(maxTextLength, maxLength + behind), clock })
}

interface Trial {
  readonly attacks: readonly Attack[]
  /** Characters of the longest text. */
  readonly max: number
  readonly clock: Clock
}

const checkOn = (pattern: RegExp, { attacks, max, clock }: Trial): void => {
  for (const attack of attacks) {
    const times = new Map<number, number>()
    for (let length = 16; length <= max; length = length < 64 ? length + 4 : length * 2) {
      const measured = (characters: number) => clock(pattern, attack(characters))
      const isSlow = (time: number, quarter: number) => time > growth * Math.max(noise, quarter)
      const time = Math.min(measured(length), measured(length))
      times.set(length, time)
      if (!isSlow(time, times.get(length / 4) ?? 0)) continue
      const proven = Array.from({ length: proofs }).every(() => isSlow(measured(length), measured(length / 4)))
      if (proven)
        throw new Error(
          `takes more than linear time: more than ${growth} times as much for ${length} characters as for a quarter of them`,
        )
    }
  }
}
