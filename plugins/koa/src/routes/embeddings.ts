import { embedding } from '@sallyport/core'
import type { EmbeddingInput, EmbeddingRequest, EmbeddingResult } from '@sallyport/core'
import { refuseManyImages } from '../body/images.js'
import type { ReadImage } from '../body/images.js'
import type { FieldNames } from '../body/wire-path.js'
import type { Envelope } from '../dialects/values.js'
import { invalidField } from '../invalid-field.js'
import type { Limits } from '../options.js'
import { noSafeguards } from '../safeguards/placement.js'
import { objectOf, envelopeFields, listOf, modelName, nonEmptyText, opaque, text } from '../schemas/common.js'
import { promptUsage } from '../schemas/generation.js'
import { imageReason } from '../schemas/messages.js'
import type { BodyOf, JsonObject, Schema } from '../schemas/schema.js'
import type { Answer } from './answer.js'
import { post } from './body-routes.js'
import type { Exchange } from './exchange.js'
import { omitUndefined } from './generation.js'
import { modelIdsRoute } from './route.js'
import type { Route } from './route.js'
import { tokenId } from './tokens.js'

/** Maximum number of token ids in a list: more than any model's context. */
const maxTokenList = 1_000_000

const direction = { type: 'string', enum: ['Left', 'Right', 'left', 'right'] } as const

const requestSchema = ({ inputs }: Limits) =>
  ({
    type: 'object',
    required: ['model', 'input'],
    properties: {
      model: modelName,
      input: {
        ...nonEmptyText,
        type: ['string', 'array'],
        minItems: 1,
        maxItems: maxTokenList,
        items: {
          ...nonEmptyText,
          type: ['string', 'integer', 'array', 'object'],
          minItems: 1,
          minimum: 0,
          items: { type: 'integer', minimum: 0 },
          additionalProperties: false,
          properties: {
            text: { ...text, 'x-empty-is-absent': true },
            image: {
              ...opaque(imageReason),
              description: 'data: URI or base64, or a URL where those are fetched',
              'x-empty-is-absent': true,
            },
          },
          'x-allowed':
            'a non-empty string, a token id (an integer from 0 upwards), a non-empty array of them, or an object {text, image}',
        },
        'x-allowed':
          'a non-empty string, or a non-empty array of strings, of token ids (one input), ' +
          `of arrays of token ids, or of objects {text, image}; at most ${inputs} inputs`,
      },
      truncate: { type: 'boolean', description: 'cut inputs that are too long' },
      truncation_direction: direction,
      truncate_direction: { ...direction, description: 'another spelling of truncation_direction' },
      encoding_format: { type: 'string', enum: ['float', 'base64'] },
      dimensions: { type: 'integer', minimum: 1, maximum: 65_536 },
      input_type: { type: 'string', enum: ['query', 'document'] },
    },
  }) as const

type EmbeddingBody = BodyOf<ReturnType<typeof requestSchema>>
type Item = Exclude<EmbeddingBody['input'], string>[number]

/** @param withStatus whether each item has a `status` */
const response = (withStatus: boolean): Schema =>
  objectOf({
    ...envelopeFields('list'),
    data: listOf(
      objectOf({
        object: { type: 'string', enum: ['embedding'] },
        index: { type: 'integer' },
        embedding: {
          ...opaque('numbers', { type: ['array', 'string'] }),
          items: { type: 'number' },
          description: 'base64: little-endian floats',
        },
        ...(withStatus ? { status: { type: 'string', enum: ['success'] } } : {}),
      }),
    ),
    usage: promptUsage,
  })

const toInputs = (
  input: EmbeddingBody['input'],
  { inputs: max, images }: Limits,
  read: ReadImage,
): EmbeddingInput[] => {
  if (typeof input === 'string') return [{ text: input }]
  const ids = input.filter((item) => typeof item === 'number')
  if (ids.length === input.length) return [{ tokens: ids.map(tokenId) }]
  if (ids.length) throw invalidField('input', 'must not mix token ids with other inputs')
  if (input.length > max) throw invalidField('input', `must hold at most ${max} inputs`)
  refuseManyImages(input.filter(hasImage).length, images, 'input')
  return input.map((item, index) => toInput(item, `input[${index}]`, read))
}

const hasImage = (item: Item): boolean => typeof item === 'object' && !Array.isArray(item) && item.image !== undefined

const toInput = (item: Item, path: string, read: ReadImage): EmbeddingInput => {
  if (typeof item === 'string') return { text: item }
  if (typeof item === 'number') return { tokens: [tokenId(item)] }
  if (Array.isArray(item)) return { tokens: item.map(tokenId) }
  const { text, image } = item
  if (image !== undefined) return { ...read(image, `${path}.image`), ...omitUndefined({ text }) }
  if (text !== undefined) return { text }
  throw invalidField(path, 'must have a text, an image, or both')
}

const toRequest = (body: EmbeddingBody, limits: Limits, read: ReadImage): EmbeddingRequest => {
  const [first, second] = [body.truncation_direction, body.truncate_direction].map((side) => side?.toLowerCase())
  if (first !== undefined && second !== undefined && first !== second)
    throw invalidField('truncate_direction', 'must not differ from truncation_direction: give one of them')
  const side = (first ?? second) === 'left' ? 'left' : 'right'
  return {
    inputs: toInputs(body.input, limits, read),
    ...omitUndefined({
      inputType: body.input_type,
      dimensions: body.dimensions,
      truncate: body.truncate ? side : undefined,
    }),
  }
}

/** The fields of the body that {@link toRequest} reads, by the kernel's names. A list of token ids is one input. */
const fields = ({ input }: JsonObject): FieldNames => {
  const isOneInput = Array.isArray(input) && typeof input[0] === 'number'
  const one = isOneInput ? 'input' : 'input[]'
  return { inputs: 'input', 'inputs[]': one, 'inputs[].tokens': one, inputType: 'input_type' }
}

const handler =
  (withStatus: boolean) =>
  async (body: EmbeddingBody, exchange: Exchange): Promise<Answer> => {
    const { descriptor, service } = exchange.choose(embedding, body.model)
    const request = await exchange.withImages(embedding, descriptor, 'input', (read) =>
      toRequest(body, exchange.context.options.limits, read),
    )
    const result = await service.embed(request, exchange.callOptions())
    const envelope = exchange.envelope('emb', 'list', descriptor.id)
    const format = { encoding: body.encoding_format ?? 'float', withStatus }
    return { kind: 'chunks', chunks: embeddingList(result, envelope, format) }
  }

const route = (path: string, withStatus: boolean): Route =>
  post({
    path,
    capability: embedding.name,
    tag: 'Embeddings',
    summary: 'Embeddings of texts and images',
    request: requestSchema,
    response: response(withStatus),
    safeguards: noSafeguards,
    fields,
    handle: handler(withStatus),
  })

export const embeddingRoutes: readonly Route[] = [
  route('/embeddings', false),
  route('/embedding', true),
  modelIdsRoute('/embeddings', embedding),
  modelIdsRoute('/embedding', embedding),
]

/** The answer in chunks: ten thousand vectors as one JSON text would hold the event loop for a second. */
function* embeddingList(
  { vectors, promptTokens }: EmbeddingResult,
  envelope: Envelope,
  { encoding, withStatus }: { encoding: 'float' | 'base64'; withStatus: boolean },
): Generator<string> {
  const head = JSON.stringify({ ...envelope, data: [] })
  const usage = { prompt_tokens: promptTokens, total_tokens: promptTokens }
  yield head.slice(0, -2)
  for (const [index, vector] of vectors.entries()) {
    const embedding = encoding === 'base64' ? base64(vector) : Array.from(vector)
    const item = { object: 'embedding', index, embedding, ...(withStatus ? { status: 'success' } : {}) }
    yield (index ? ',' : '') + JSON.stringify(item)
  }
  yield `],"usage":${JSON.stringify(usage)}}`
}

/** Little-endian 32-bit floats, as the platform has them in memory. */
const base64 = (vector: Float32Array) =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
