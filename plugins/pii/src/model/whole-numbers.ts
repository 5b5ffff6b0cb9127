import type { ModelFinding } from './finding.js'

/** UTF-16 units on each side: nothing that is written in one is longer. */
const maxLength = 48
const before = /(?:[\p{Script=Latin}\p{N}]|(?<=\p{N})[-._/]){0,48}$/u
const behind = /^(?:[\p{Script=Latin}\p{N}]|[-._/](?=\p{N})){0,48}/u

/** All of the number that a model has found a part of. */
export const wholeNumber = (finding: ModelFinding, text: string): ModelFinding => {
  const { number, start, end } = finding
  const lead = isInside(text, start)
    ? (before.exec(text.slice(Math.max(0, start - maxLength), start))?.[0].length ?? 0)
    : 0
  const rest =
    number || /\p{N}$/u.test(text.slice(Math.max(0, end - 2), end))
      ? (behind.exec(text.slice(end, end + maxLength))?.[0].length ?? 0)
      : 0
  return { ...finding, start: start - lead, end: end + rest }
}

const isInside = (text: string, start: number): boolean => /^\p{N}/u.test(text.slice(start, start + 2))
