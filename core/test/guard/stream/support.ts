import type { OpenSpans } from '../../../src/guard/stream/segmenter.js'

/** The text in pieces of these sizes, in turn. */
export const chunked = (text: string, sizes: readonly number[]): string[] => {
  const chunks: string[] = []
  let at = 0
  for (let turn = 0; at < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

/** Runs of digits, single spaces among them, as long as cards have; at the end they may go on. */
export const openDigits: OpenSpans = (text) =>
  Promise.resolve(
    [/\d(?:[ ]?\d)+/g, /\d(?:[ ]?\d)*[ ]?$/g].flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({ start: index, end: index + length })),
    ),
  )
