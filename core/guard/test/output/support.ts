import type { OpenSpans } from '../../src/output/segmenter.js'

export { splitIntoChunks } from '@sallyport/testing'

/** Runs of digits, single spaces among them, as long as cards have; at the end they may go on. */
export const openDigits: OpenSpans = (text) =>
  Promise.resolve(
    [/\d(?:[ ]?\d)+/g, /\d(?:[ ]?\d)*[ ]?$/g].flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({ start: index, end: index + length })),
    ),
  )
