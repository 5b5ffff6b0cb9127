import { choice, empty, repeat, rule, sequence } from './expression.js'
import type { Expression } from './expression.js'
import type { Rules } from './rules.js'

/** Items in a block, and blocks in a larger block: few, because llama.cpp expands repetitions. */
const base = 16

/**
 * A repetition with counts of any size. Blocks of blocks keep the number of rules, and of the parses that llama.cpp
 * follows, proportional to the logarithm of the count.
 */
export const boundedRepeat = (item: string, min: number, max: number, rules: Rules): Expression => {
  if (max === 0) return empty
  if (max < base) return repeat(rule(item), min, max)
  const rest = max === Infinity ? repeat(rule(item), 0, Infinity) : upTo(item, max - min, rules)
  return sequence(exactly(item, min, rules), rest)
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

/** Either a block and up to the remaining number of items, or fewer items than a block has. */
const upTo = (item: string, count: number, rules: Rules): Expression => {
  if (count === 0) return empty
  if (count < base) return repeat(rule(item), 0, count)
  const size = sizeOf(count)
  return rules.share(`${item}{0,${count}}`, `${item}-to${count}`, () =>
    choice(sequence(block(item, size, rules), upTo(item, count - size, rules)), upTo(item, size - 1, rules)),
  )
}
