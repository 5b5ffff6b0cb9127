/** A part of a text that is classified by itself, in UTF-16 units. */
export interface Block {
  readonly start: number
  readonly end: number
}

/** Paragraphs: what stands around a name tells that it is one. */
const paragraph = /\S(?:[^\n]|\n(?!\s{0,16}\n)){1,4000}/gu

/** Of a long paragraph: to the end of a line or a sentence, or else of a word. */
const part = /[^]{1,1000}$|[^]{500,999}(?:\n|[.!?]\s)|[^]{500,999}\s|[^]{1,1000}/gu

/** Letters that models of Latin scripts know something about. */
const readable = /[\p{Script=Latin}\p{Script=Greek}]{2}|\d/u

/** The parts that need a model, with letters or digits of the scripts that it reads. */
export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(paragraph)]
    .flatMap(({ 0: content, index: start }) =>
      [...content.matchAll(part)].map(({ 0: { length }, index }) => ({
        start: start + index,
        end: start + index + length,
      })),
    )
    .filter(({ start, end }) => readable.test(text.slice(start, end)))

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
