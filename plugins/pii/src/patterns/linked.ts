/** Numbers whose groups stand in fields or in calls: what stands between two is alike. */

/** A blank alone is none: sentences have words between their numbers, too. Sets of all letters would take much code. */
const sign = String.raw`[!-/:-@[-\x60{-~]`
const signs = String.raw`\s{0,4}${sign}{1,5}(?:\s{1,8}${sign}{1,4})?\s{0,4}`
const key = String.raw`(?:[a-zA-Z]{1,12}\d{0,2}|\d{1,2})`

/** What may stand between two groups. */
export const link = `${signs}${key}(?:${signs}${key})?${signs}`

interface Linked {
  readonly groups: readonly string[]
  readonly links: readonly string[]
}

const group = /(?<![\p{L}\p{N}])\d{4,6}(?![\p{L}\p{N}])/gu

export const linkedGroups = (match: string): Linked => ({
  groups: match.match(group) ?? [],
  links: match.split(group).slice(1, -1),
})

/** Whether the same call, or one field after the other stand between groups. */
export const areAlike = (links: readonly string[]): boolean => {
  const plain = links.map((one) => one.replaceAll(')', '').replace(/\s+/g, ' '))
  if (new Set(plain).size === 1) return true
  const keys = plain.map((one) => one.match(/[\p{L}\p{N}]+/gu)?.join(' ') ?? '')
  const frames = plain.map((one) => one.replace(/[\p{L}\p{N}]+/gu, ''))
  return new Set(frames).size === 1 && keys.slice(1).every((one, index) => one === following(keys[index] ?? ''))
}

/** `part2` behind `part1`, `c` behind `b`. */
const following = (text: string): string => {
  const number = /\d+$/.exec(text)?.[0]
  if (number !== undefined) return text.slice(0, -number.length) + String(Number(number) + 1)
  const last = text.length - 1
  return text.slice(0, last) + String.fromCharCode(text.charCodeAt(last) + 1)
}
