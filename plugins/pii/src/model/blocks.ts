/** A part of a text that is classified by itself, in UTF-16 units. */
export interface Block {
  readonly start: number
  readonly end: number
}

/** Paragraphs: what stands around a name tells that it is one. */
const paragraph = /\S(?:[^\n]|\n(?!\s{0,16}\n)){1,4000}/gu

/** Letters that models of Latin scripts know something about. */
const readable = /[\p{Script=Latin}\p{Script=Greek}]{2}|\d/u

/** The parts that need a model, with letters or digits of the scripts that it reads. */
export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(paragraph)]
    .filter(([content]) => readable.test(content))
    .map(({ 0: content, index }) => ({ start: index, end: index + content.length }))
