import type { Tensor, TensorSignature } from '@sallyport/core'
import { maxOf } from '@sallyport/kit/lists'
import { textInputs } from '../encoder/text-inputs.js'

/** The inputs of GLiNER models that score spans, beside those of every encoder. */
export const spanInputNames = ['words_mask', 'text_lengths', 'span_idx', 'span_mask']

/**
 * The input tensors for texts: `words_mask` [batch, sequence] has the number of a word, from 1, at its first token, and 0
 * elsewhere; `text_lengths` [batch, 1] are words; `span_idx` [batch, spans, 2] the first and last word, from 0, of all spans of
 * up to `maxWidth` words, and `span_mask` which of these lie in the text.
 */
export const spanInputs =
  (maxWidth: number): typeof textInputs =>
  (encodings, inputs, padId) => {
    const texts = textInputs(encodings, inputs, padId)
    const [batchSize = 0, sequenceLength = 0] = texts['input_ids']?.shape ?? []
    const counts = encodings.map(({ words = [] }) => maxOf(words, 0))
    const spanCount = maxOf(counts, 1) * maxWidth
    const masks = new Int32Array(batchSize * sequenceLength)
    const spans = new Int32Array(batchSize * spanCount * 2)
    const inText = new Uint8Array(batchSize * spanCount)
    for (const [row, { words = [] }] of encodings.entries()) {
      masks.set(words, row * sequenceLength)
      for (let first = 0; first < (counts[row] ?? 0); first += 1)
        for (let width = 0; width < maxWidth && first + width < (counts[row] ?? 0); width += 1) {
          const span = row * spanCount + first * maxWidth + width
          spans.set([first, first + width], 2 * span)
          inText[span] = 1
        }
    }
    const typeOf = (name: string) => inputs.find((input) => input.name === name)?.type ?? 'INT64'
    return {
      ...texts,
      words_mask: numbers(masks, [batchSize, sequenceLength], typeOf('words_mask')),
      text_lengths: numbers(Int32Array.from(counts), [batchSize, 1], typeOf('text_lengths')),
      span_idx: numbers(spans, [batchSize, spanCount, 2], typeOf('span_idx')),
      span_mask: { type: 'BOOL', shape: [batchSize, spanCount], data: inText },
    }
  }

const numbers = (values: Int32Array, shape: readonly number[], type: TensorSignature['type']): Tensor => {
  const array = type === 'INT64' ? BigInt64Array.from(values, BigInt) : values
  return { type, shape: [...shape], data: new Uint8Array(array.buffer) }
}
