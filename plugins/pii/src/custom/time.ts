import type { CompiledPattern } from '../patterns/compile.js'
import { attacksOn } from './attacks.js'

/** Milliseconds for the longest text that is tried; 1 MiB then takes about as many as an ordinary pattern does. */
const budget = 25
const longestText = 65_536

/**
 * Tries a pattern on texts that are made to take it long, from short ones on: one that takes more than linear time is
 * given up before it takes seconds.
 * @throws Error
 */
export const checkTime = ({ regex, growing, longest, behind }: CompiledPattern): void => {
  checkOn(regex, regex, longestText)
  // It reads the end of a text only.
  checkOn(growing, regex, Math.min(longestText, longest + behind))
}

const checkOn = (pattern: RegExp, regex: RegExp, most: number): void => {
  for (const attack of attacksOn(regex))
    for (let length = 16; length <= most; length = length < 64 ? length + 4 : length * 2) {
      const time = Math.min(timeOf(pattern, attack(length)), timeOf(pattern, attack(length)))
      if (time > budget) throw new Error(`takes more than linear time: ${Math.round(time)} ms for ${length} characters`)
    }
}

/** Milliseconds of processor time: what other processes take does not count. */
export const timeOf = (pattern: RegExp, text: string): number => {
  const begin = process.cpuUsage()
  const found = text.matchAll(pattern)
  while (!found.next().done);
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}
