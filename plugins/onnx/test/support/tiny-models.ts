/**
 * Small models with weights from a seed, as ONNX files, each with the same computation in plain JavaScript. A token's
 * state is tanh((E[id] + T[type] + P[position] + mean over the text of E[id] + T[type]) W): it depends on the other
 * tokens, on the order and, through the mean, on the mask.
 */

import { buildOnnx, int64 } from '@sallyport/weights'
import { addBias, encoderParts, identity, matrix, mean, multiply, node, port, rows } from './tiny-parts.js'
import type { TinyOptions, TinyText } from './tiny-parts.js'

export interface TinyModel<Result> {
  readonly bytes: Uint8Array
  /** What the model says of one text, computed without ONNX. */
  readonly expected: (text: TinyText) => Result
}

/** Outputs `last_hidden_state` [batch, sequence, hidden]. */
export const tinyEncoder = (options: TinyOptions = {}): TinyModel<number[][]> => {
  const encoder = encoderParts(options)
  const outputs = [port('last_hidden_state', ['batch', 'sequence', encoder.hidden])]
  return { bytes: encoder.build([identity('states', 'last_hidden_state')], {}, outputs), expected: encoder.states }
}

/** Outputs `logits` [batch, labels] from the mean over the mask; a cross-encoder with one label. */
export const tinyClassifier = (labels: number, options: TinyOptions = {}): TinyModel<number[]> => {
  const encoder = encoderParts(options)
  const head = encoder.head(labels)
  return {
    bytes: encoder.build(
      [...encoder.pool('states', 'pooled'), node('MatMul', ['pooled', 'head'], ['product']), addBias('logits')],
      head.tensors,
      [port('logits', ['batch', labels])],
    ),
    expected: (text) => head.apply(mean(encoder.states(text))),
  }
}

export const tinyCrossEncoder = (options: TinyOptions = {}): TinyModel<number> => {
  const { bytes, expected } = tinyClassifier(1, { typeIds: true, ...options })
  return { bytes, expected: (text) => expected(text)[0]! }
}

/** Outputs `logits` [batch, sequence, labels]. */
export const tinyTokenClassifier = (labels: number, options: TinyOptions = {}): TinyModel<number[][]> => {
  const encoder = encoderParts(options)
  const head = encoder.head(labels)
  return {
    bytes: encoder.build([node('MatMul', ['states', 'head'], ['product']), addBias('logits')], head.tensors, [
      port('logits', ['batch', 'sequence', labels]),
    ]),
    expected: (text) => encoder.states(text).map(head.apply),
  }
}

export interface TinyPair {
  /** input_ids, attention_mask -> text_embeds [batch, size]; not normalised. */
  readonly text: TinyModel<number[]>
  /** pixel_values [batch, 3, side, side] -> image_embeds [batch, size]; not normalised. */
  readonly vision: { readonly bytes: Uint8Array; readonly expected: (pixels: Float32Array) => number[] }
  /** Both towers in one file, as exported for zero-shot classification: all inputs are needed. */
  readonly both: Uint8Array
  readonly side: number
  readonly size: number
}

type PairOptions = TinyOptions & { readonly side?: number; readonly size?: number }

/** A pair of towers in the manner of CLIP; images of `side` (even) pixels are seen as the means of their quarters. */
export const tinyPair = ({ side = 8, size = 6, ...options }: PairOptions = {}): TinyPair => {
  const encoder = encoderParts(options)
  const head = encoder.head(size, 'text')
  const textNodes = [...encoder.pool('states', 'pooled'), node('MatMul', ['pooled', 'text.head'], ['text_embeds'])]
  const textTensors = { 'text.head': head.tensors['text.head']! }
  const textOutput = port('text_embeds', ['batch', size])
  const vision = visionParts(side, size, encoder.random, 'image_embeds')
  return {
    side,
    size,
    text: {
      bytes: encoder.build(textNodes, textTensors, [textOutput]),
      expected: (text) => multiply(mean(encoder.states(text)), head.weights),
    },
    vision: { bytes: vision.build(), expected: vision.expected },
    both: encoder.build(
      [...textNodes, ...vision.nodes],
      { ...textTensors, ...vision.tensors },
      [textOutput, vision.output],
      [vision.pixels],
    ),
  }
}

/**
 * A pair in the manner of SigLIP: input_ids -> last_hidden_state and pooler_output, which is the state of the last
 * token, padding or not; pixel_values -> pooler_output. Both have the length of a state.
 */
export const tinySiglip = ({ side = 8, hidden = 8, ...options }: TinyOptions & { side?: number } = {}): Omit<
  TinyPair,
  'both'
> => {
  const encoder = encoderParts({ ...options, hidden, mask: false })
  const nodes = [
    identity('states', 'last_hidden_state'),
    node('Gather', ['states', 'last'], ['pooler_output'], { axis: { int: 1 } }),
  ]
  const vision = visionParts(side, hidden, encoder.random, 'pooler_output')
  return {
    side,
    size: hidden,
    text: {
      bytes: encoder.build(nodes, { last: int64(-1) }, [
        port('last_hidden_state', ['batch', 'sequence', hidden]),
        port('pooler_output', ['batch', hidden]),
      ]),
      expected: (text) => encoder.states(text).at(-1)!,
    },
    vision: { bytes: vision.build(), expected: vision.expected },
  }
}

const visionParts = (side: number, size: number, random: (count: number) => Float32Array, name: string) => {
  const half = side / 2
  const weights = rows(random(12 * size), size)
  const expected = (pixels: Float32Array): number[] => {
    const quarters = Array.from({ length: 12 }, () => 0)
    pixels.forEach((value, index) => {
      const row = Math.floor(index / side) % side
      const quarter = Math.floor(index / side ** 2) * 4 + Math.floor(row / half) * 2 + Math.floor((index % side) / half)
      quarters[quarter]! += value / half ** 2
    })
    return multiply(quarters, weights)
  }
  const window = { ints: [half, half] }
  const tensors = { 'vision.head': matrix(weights) }
  const nodes = [
    node('AveragePool', ['pixel_values'], ['quarters'], { kernel_shape: window, strides: window }),
    node('Flatten', ['quarters'], ['flat']),
    node('MatMul', ['flat', 'vision.head'], [name]),
  ]
  const pixels = port('pixel_values', ['images', 3, side, side])
  const output = port(name, ['images', size])
  return {
    expected,
    tensors,
    nodes,
    pixels,
    output,
    build: () => buildOnnx({ inputs: [pixels], outputs: [output], nodes, initializers: tensors }),
  }
}

/** What a GLiNER model gets of a text: the prompt and the text as ids, and the number of each word at its first token. */
export interface TinySpanText {
  readonly ids: readonly number[]
  readonly words: readonly number[]
}

/**
 * In the manner of GLiNER: `logits` [batch, words, width, labels] of spans of up to `width` words. The states of a span's
 * first and last word are mixed, and compared with the states of the tokens `labelId`, one before each label.
 */
export const tinySpanClassifier = (
  width: number,
  labelId: number,
  options: TinyOptions = {},
): { readonly bytes: Uint8Array; readonly expected: (text: TinySpanText) => number[][][] } => {
  const encoder = encoderParts(options)
  const { hidden } = encoder
  const [firstMixer, lastMixer] = [rows(encoder.random(hidden ** 2), hidden), rows(encoder.random(hidden ** 2), hidden)]
  const integer = (name: string, shape: readonly (number | string)[]) => ({ name, type: 'INT64' as const, shape })
  const side = (name: string, index: string) => [
    node('Gather', ['spans', index], [`${name}.words`], { axis: { int: 2 } }),
    node('OneHot', [`${name}.words`, 'count', 'off.on'], [`${name}.where`]),
    node('MatMul', [`${name}.where`, 'word.states'], [`${name}.states`]),
    node('MatMul', [`${name}.states`, `${name}.mixer`], [`${name}.mixed`]),
  ]
  const bytes = encoder.build(
    [
      node('ReduceMax', ['text_lengths'], ['count'], { keepdims: { int: 0 } }),
      // the states of words, by their numbers: 0 collects all other tokens
      node('Add', ['count', 'one.alone'], ['slots']),
      node('OneHot', ['words_mask', 'slots', 'off.on'], ['slot.of.token']),
      node('Transpose', ['slot.of.token'], ['tokens.of.slot'], { perm: { ints: [0, 2, 1] } }),
      node('MatMul', ['tokens.of.slot', 'states'], ['slot.states']),
      node('Slice', ['slot.states', 'one', 'far', 'one'], ['word.states']),
      node('Cast', ['span_mask'], ['span.weights'], { to: { int: 7 } }),
      node('Unsqueeze', ['span.weights', 'two'], ['span.weight']),
      node('Mul', ['span_idx', 'span.weight'], ['spans']),
      ...side('first', 'zero.alone'),
      ...side('last', 'one.alone'),
      node('Add', ['first.mixed', 'last.mixed'], ['span.sum']),
      node('Tanh', ['span.sum'], ['span.states']),
      node('Equal', ['input_ids', 'label.id'], ['is.label']),
      node('NonZero', ['is.label'], ['label.places']),
      node('Transpose', ['label.places'], ['places.of.labels']),
      node('GatherND', ['states', 'places.of.labels'], ['all.labels']),
      node('Shape', ['input_ids'], ['batch.size'], { start: { int: 0 }, end: { int: 1 } }),
      node('Concat', ['batch.size', 'rest', 'hidden.size'], ['label.shape'], { axis: { int: 0 } }),
      node('Reshape', ['all.labels', 'label.shape'], ['label.states']),
      node('Transpose', ['label.states'], ['label.columns'], { perm: { ints: [0, 2, 1] } }),
      node('MatMul', ['span.states', 'label.columns'], ['scores']),
      node('Unsqueeze', ['count', 'zero'], ['word.count']),
      node('Concat', ['batch.size', 'word.count', 'span.width', 'rest'], ['logits.shape'], { axis: { int: 0 } }),
      node('Reshape', ['scores', 'logits.shape'], ['logits']),
    ],
    {
      'first.mixer': matrix(firstMixer),
      'last.mixer': matrix(lastMixer),
      'off.on': { shape: [2], data: Float32Array.of(0, 1) },
      'zero.alone': int64(0),
      'one.alone': int64(1),
      'label.id': int64(labelId),
      far: int64([1_000_000]),
      rest: int64([-1]),
      'hidden.size': int64([hidden]),
      'span.width': int64([width]),
    },
    [port('logits', ['batch', 'words', 'width', 'labels'])],
    [
      integer('words_mask', ['batch', 'sequence']),
      integer('text_lengths', ['batch', 'one']),
      integer('span_idx', ['batch', 'spans', 2]),
      { name: 'span_mask', type: 'BOOL', shape: ['batch', 'spans'] },
    ],
  )
  const expected = ({ ids, words }: TinySpanText): number[][][] => {
    const states = encoder.states({ ids })
    const labels = states.filter((_, index) => ids[index] === labelId)
    const wordStates = Array.from({ length: Math.max(...words) }, (_, index) => states[words.indexOf(index + 1)]!)
    return wordStates.map((first, at) =>
      wordStates.slice(at, at + width).map((last) => {
        const other = multiply(last, lastMixer)
        const span = multiply(first, firstMixer).map((value, index) => Math.tanh(value + other[index]!))
        return labels.map((label) => label.reduce((sum, value, index) => sum + value * span[index]!, 0))
      }),
    )
  }
  return { bytes, expected }
}
