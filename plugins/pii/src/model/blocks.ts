/** A part of a text that is classified by itself, in UTF-16 units. */
export interface Block {
  readonly start: number
  readonly end: number
}

const content = String.raw`\S(?:[^\n]|\n(?!\s{0,16}\n)){1,4000}`

/** Paragraphs: what stands around a name tells that it is one. What is too long ends as its parts do. */
const paragraph = new RegExp(
  String.raw`${content}(?:(?<=[.!?])(?=\s)|(?![^\n]))|${content}(?![^\s,;])|${content}`,
  'gu',
)

/** A part of a long paragraph reaches to the end of a line or a sentence, or else of a word or a member of a list. */
const part = /[^]{1,1000}$|[^]{500,999}(?:\n|[.!?]\s)|[^]{500,999}\s|[^]{500,999}[,;]|[^]{1,1000}/gu

/** Letters that models of Latin scripts know something about. */
const readable = /[\p{Script=Latin}\p{Script=Greek}]{2}|\d/u

export function* blocksOf(text: string): Generator<Block> {
  for (const { 0: whole, index: begin } of text.matchAll(paragraph))
    for (const { 0: block, index } of whole.matchAll(part))
      yield { start: begin + index, end: begin + index + block.length }
}

/** Whether a model may find something in it: it has letters or digits of the scripts that models read. */
export const isReadable = (block: string): boolean => readable.test(block)

/** UTF-16 units that a model is shown at a time: with more, it would make others wait. */
const atOnce = 1000

/** Neighbours together, as far as they are short. */
export const batchesOf = (blocks: readonly Block[]): Block[][] => {
  const batches: Block[][] = []
  let length = Infinity
  for (const block of blocks) {
    length += block.end - block.start
    if (length > atOnce) {
      batches.push([])
      length = block.end - block.start
    }
    batches.at(-1)?.push(block)
  }
  return batches
}
