import type { CompiledPattern } from '../patterns/compile.js'
import { attacksOn } from './attacks.js'
import type { Attack } from './attacks.js'

/**
 * How much more time four times the text may take: linear is 4, quadratic 16. How many milliseconds it takes says more
 * of the machine than of the pattern.
 */
export const growth = 9

/** Milliseconds below which a time says nothing. */
export const noise = 0.5

const longestText = 65_536

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
export const checkTime = ({ regex, growing, longest, behind }: CompiledPattern, clock: Clock = timeOf): void => {
  const attacks = attacksOn(regex)
  checkOn(regex, { attacks, most: longestText, clock })
  // It reads the end of a text only.
  checkOn(growing, { attacks, most: Math.min(longestText, longest + behind), clock })
}

interface Trial {
  readonly attacks: readonly Attack[]
  /** Characters of the longest text. */
  readonly most: number
  readonly clock: Clock
}

const checkOn = (pattern: RegExp, { attacks, most, clock }: Trial): void => {
  for (const attack of attacks) {
    const times = new Map<number, number>()
    for (let length = 16; length <= most; length = length < 64 ? length + 4 : length * 2) {
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
