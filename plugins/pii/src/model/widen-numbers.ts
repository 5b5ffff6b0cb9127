import type { ModelFinding } from './finding.js'

/** By how many UTF-16 code units a number is widened on each side at most. */
const maxLength = 48
const before = /(?:[\p{Script=Latin}\p{N}]|(?<=\p{N})[-._/]){0,48}$/u
const after = /^(?:[\p{Script=Latin}\p{N}]|[-._/](?=\p{N})){0,48}/u

/** Widens a finding of a model to the whole number that it is part of. */
export const widenToNumber = (finding: ModelFinding, text: string): ModelFinding => {
  const { isPersonalNumber, start, end } = finding
  const lead = isInside(text, start)
    ? (before.exec(text.slice(Math.max(0, start - maxLength), start))?.[0].length ?? 0)
    : 0
  const rest =
    isPersonalNumber || /\p{N}$/u.test(text.slice(Math.max(0, end - 2), end))
      ? (after.exec(text.slice(end, end + maxLength))?.[0].length ?? 0)
      : 0
  return { ...finding, start: start - lead, end: end + rest }
}

const isInside = (text: string, start: number): boolean => /^\p{N}/u.test(text.slice(start, start + 2))
