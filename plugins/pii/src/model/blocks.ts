import type { Span } from '@sallyport/kit/views'
import { raw } from '../patterns/raw-regex.js'

const content = String.raw`\S(?:[^\n]|\n(?!\s{0,16}\n)){1,4000}`

/** A paragraph, as a model needs the context of a name. Long ones end as their parts do. */
const paragraph = raw.gu`${content}(?:(?<=[.!?])(?=\s)|(?![^\n]))|${content}(?![^\s,;])|${content}`

/** A part of a long paragraph ends with a line or a sentence, or else with a word or an item of a list. */
const part = /[^]{1,1000}$|[^]{500,999}(?:\n|[.!?]\s)|[^]{500,999}\s|[^]{500,999}[,;]|[^]{1,1000}/gu

/** The parts of a text that are classified by themselves. */
export function* blocksOf(text: string): Generator<Span> {
  for (const { 0: whole, index: begin } of text.matchAll(paragraph))
    for (const { 0: block, index } of whole.matchAll(part))
      yield { start: begin + index, end: begin + index + block.length }
}

/** Whether a block has letters or digits that models for Latin scripts can read. */
export const isReadable = (block: string): boolean => /[\p{Script=Latin}\p{Script=Greek}]{2}|\d/u.test(block)

/** The maximum length of a batch in UTF-16 code units: with more, other requests would wait. */
const maxBatch = 1000

export const batchesOf = (blocks: readonly Span[]): Span[][] => {
  const batches: Span[][] = []
  let length = Infinity
  for (const block of blocks) {
    const size = block.end - block.start
    if (length + size > maxBatch) {
      batches.push([])
      length = 0
    }
    length += size
    batches.at(-1)?.push(block)
  }
  return batches
}
