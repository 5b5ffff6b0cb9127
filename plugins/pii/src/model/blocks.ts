/** A part of a text that is classified by itself, in UTF-16 code units. */
export interface Block {
  readonly start: number
  readonly end: number
}

const content = String.raw`\S(?:[^\n]|\n(?!\s{0,16}\n)){1,4000}`

/** A paragraph, as a model needs the context of a name. Long ones end as their parts do. */
const paragraph = new RegExp(
  String.raw`${content}(?:(?<=[.!?])(?=\s)|(?![^\n]))|${content}(?![^\s,;])|${content}`,
  'gu',
)

/** A part of a long paragraph ends with a line or a sentence, or else with a word or an item of a list. */
const part = /[^]{1,1000}$|[^]{500,999}(?:\n|[.!?]\s)|[^]{500,999}\s|[^]{500,999}[,;]|[^]{1,1000}/gu

/** Letters or digits that models for Latin scripts can read. */
const readable = /[\p{Script=Latin}\p{Script=Greek}]{2}|\d/u

export function* blocksOf(text: string): Generator<Block> {
  for (const { 0: whole, index: begin } of text.matchAll(paragraph))
    for (const { 0: block, index } of whole.matchAll(part))
      yield { start: begin + index, end: begin + index + block.length }
}

export const isReadable = (block: string): boolean => readable.test(block)

/** The maximum length of a batch in UTF-16 code units: with more, other requests would wait. */
const maxBatch = 1000

export const batchesOf = (blocks: readonly Block[]): Block[][] => {
  const batches: Block[][] = []
  let length = Infinity
  for (const block of blocks) {
    length += block.end - block.start
    if (length > maxBatch) {
      batches.push([])
      length = block.end - block.start
    }
    batches.at(-1)?.push(block)
  }
  return batches
}
