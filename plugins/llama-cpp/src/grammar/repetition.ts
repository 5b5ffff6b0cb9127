import { choice, empty, repeat, rule, sequence } from './expression.js'
import type { Expression } from './expression.js'
import type { Rules } from './rules.js'

/** Items in a block, blocks in a block of blocks, …: small, because llama.cpp writes every repetition out. */
const base = 16

/**
 * So many of a rule, however many: blocks of blocks, so that both the rules and the readings that llama.cpp keeps grow
 * with the logarithm of the count.
 */
export const counted = (item: string, least: number, most: number, rules: Rules): Expression => {
  if (most === 0) return empty
  if (most < base) return repeat(rule(item), least, most)
  const rest = most === Infinity ? repeat(rule(item), 0, Infinity) : upTo(item, most - least, rules)
  return sequence(exactly(item, least, rules), rest)
}

const exactly = (item: string, count: number, rules: Rules): Expression => {
  const parts: Expression[] = []
  for (let size = sizeOf(count), left = count; left > 0; size /= base) {
    const blocks = Math.floor(left / size)
    if (blocks > 0) parts.push(repeat(block(item, size, rules), blocks, blocks))
    left -= blocks * size
  }
  return sequence(...parts)
}

/** The largest power of the base that is no more than the count. */
const sizeOf = (count: number): number => {
  let size = 1
  while (size * base <= count) size *= base
  return size
}

const block = (item: string, size: number, rules: Rules): Expression =>
  size === 1
    ? rule(item)
    : rules.share(`${item}{${size}}`, `${item}-x${size}`, () => repeat(block(item, size / base, rules), base, base))

/** A block and up to what is left; or less than a block. */
const upTo = (item: string, count: number, rules: Rules): Expression => {
  if (count === 0) return empty
  if (count < base) return repeat(rule(item), 0, count)
  const size = sizeOf(count)
  return rules.share(`${item}{0,${count}}`, `${item}-to${count}`, () =>
    choice(sequence(block(item, size, rules), upTo(item, count - size, rules)), upTo(item, size - 1, rules)),
  )
}
