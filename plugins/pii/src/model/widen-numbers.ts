import type { ModelFinding } from './finding.js'

/** By how many UTF-16 code units a number is widened on each side at most. */
const maxLength = 48
const before = /(?:[\p{Script=Latin}\p{N}]|(?<=\p{N})[-._/]){0,48}$/u
const after = /^(?:[\p{Script=Latin}\p{N}]|[-._/](?=\p{N})){0,48}/u

/** Widens a finding of a model to the whole number that it is part of. */
export const widenToNumber = (finding: ModelFinding, text: string): ModelFinding => {
  const { isPersonalNumber, start, end } = finding
  const content = text.slice(start, end)
  const lead = /^\p{N}/u.test(content) ? before.exec(text.slice(Math.max(0, start - maxLength), start)) : undefined
  const rest = isPersonalNumber || /\p{N}$/u.test(content) ? after.exec(text.slice(end, end + maxLength)) : undefined
  return { ...finding, start: start - (lead?.[0].length ?? 0), end: end + (rest?.[0].length ?? 0) }
}
