import { embedding, failure } from '@sallyport/core'
import type { EmbeddingCapability, EmbeddingInput, EmbeddingRequest } from '@sallyport/core'
import { TrigramEmbedding } from '../../../src/reference/index.js'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling } from './calls.js'

const changeRequest = (change: (request: EmbeddingRequest) => EmbeddingRequest) =>
  askedOf<EmbeddingCapability, 'embed'>('embed', change)

const changeVectors = (
  change: (vector: Float32Array, index: number, vectors: Float32Array[], request: EmbeddingRequest) => Float32Array,
) =>
  answeredBy<EmbeddingCapability, 'embed'>('embed', ({ vectors, ...rest }, request) => ({
    ...rest,
    vectors: vectors.map((vector, index) => change(vector, index, vectors, request)),
  }))

const refusing = (when: (request: EmbeddingRequest) => boolean) =>
  calling<EmbeddingCapability, 'embed'>('embed', (inner) => async (request, call) => {
    if (when(request)) throw failure('internal', {})
    return inner(request, call)
  })

const changeIds = (change: (id: number) => number) =>
  changeRequest((request) => ({
    ...request,
    inputs: request.inputs.map((input) => ('tokens' in input ? { tokens: input.tokens.map(change) } : input)),
  }))

const isEmpty = (input: EmbeddingInput | undefined) => input !== undefined && 'text' in input && input.text === ''

const { create, facts } = references.embedding

/** Images are what their file names would say. */
const seeing = changeRequest((request) => ({
  ...request,
  inputs: request.inputs.map((input) => ('image' in input ? { text: 'an image' } : input)),
}))

export const embeddingFaults = plant<EmbeddingCapability>({
  capability: embedding,
  create,
  facts,
  faults: {
    ...callFaults<EmbeddingCapability, 'embed'>('embed', (result, times) => ({
      ...result,
      vectors: result.vectors.map((vector) => vector.map((value, component) => value + Math.sin(times * component))),
    })),
    'there is one vector per input, all of one length, of finite numbers': changeVectors((vector, index) =>
      index === 1 ? vector.slice(1) : vector,
    ),
    'a batch equals its texts one by one, in order': changeVectors((vector, _, vectors) =>
      vector.map(
        (value, component) =>
          value + 0.05 * vectors.length * (vectors[0]?.[component] ?? 0) * (vectors.length > 1 ? 1 : 0),
      ),
    ),
    'vectors have unit length': changeVectors((vector) => vector.map((value) => value * 2)),
    'similar texts are nearer to each other than different ones': changeRequest(({ inputs, ...request }) => ({
      ...request,
      inputs: inputs.map((input) => ('text' in input ? { text: input.text.slice(0, 1) } : input)),
    })),
    'queries and documents are taken': refusing(({ inputType }) => inputType === 'query'),
    'an empty list has no vectors': calling(
      'embed',
      (inner) => async (request, call) => inner(request.inputs.length ? request : { inputs: [{ text: '' }] }, call),
    ),
    'an empty text has a finite vector, or is refused': changeVectors((vector, index, _, { inputs }) =>
      isEmpty(inputs[index]) ? vector.map(() => NaN) : vector,
    ),
    'unusual texts have finite vectors': refusing(({ inputs }) =>
      inputs.some((input) => 'text' in input && input.text.includes('\0')),
    ),
    'token ids decide about the vector, or are refused with unsupported': changeRequest((request) => ({
      ...request,
      inputs: request.inputs.map((input) => ('tokens' in input ? { text: 'some tokens' } : input)),
    })),
    'token ids outside the vocabulary are one unknown token, or all are refused with unsupported': changeIds((id) =>
      id > 1e6 ? id % 8 : id,
    ),
    'an invalid token id is refused, and named, or all are refused with unsupported': changeIds((id) =>
      Math.ceil(Math.max(0, id)),
    ),
    'an image is refused with unsupported by a model without vision': seeing,
    'an image has a vector of the same length as a text': {
      facts: { ...facts, features: { image: true } },
      sound: seeing,
      faulty: (sound) =>
        changeVectors((vector, index, _, { inputs }) => ('image' in inputs[index]! ? vector.slice(0, 64) : vector))(
          seeing(sound),
        ),
    },
    'every token of every input counts': answeredBy('embed', (result, { inputs }) => ({
      ...result,
      promptTokens: Math.ceil(result.promptTokens / inputs.length),
    })),
    'a text over the context is refused with context_exceeded, and named': changeRequest((request) => ({
      truncate: 'right',
      ...request,
    })),
    'truncate right keeps the beginning': changeRequest((request) => ({ ...request, truncate: 'left' })),
    'truncate left keeps the end': changeRequest((request) => ({ ...request, truncate: 'right' })),
    'truncate left and right keep different ends': changeRequest((request) => ({ ...request, truncate: 'right' })),
    'truncate leaves texts that fit as they are': changeRequest(({ inputs, ...request }) => ({
      ...request,
      inputs: request.truncate
        ? inputs.map((input) => ('text' in input ? { text: input.text.slice(0, 8) } : input))
        : inputs,
    })),
    'shorter vectors are the first components with unit length, or refused with unsupported': calling(
      'embed',
      (inner) =>
        async ({ dimensions, ...request }, call) => {
          const result = await inner(request, call)
          return { ...result, vectors: result.vectors.map((vector) => vector.slice(0, dimensions)) }
        },
    ),
    'more dimensions than the model has are refused': changeRequest(({ dimensions = 1, ...request }) => ({
      ...request,
      dimensions: Math.min(dimensions, TrigramEmbedding.dimensions),
    })),
  },
})
