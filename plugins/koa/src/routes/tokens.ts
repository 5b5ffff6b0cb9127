import { tokens } from '@sallyport/core'
import type { Token } from '@sallyport/core'
import type { Envelope } from '../dialects/values.js'
import { invalidField } from '../invalid-field.js'
import { noSafeguards } from '../safeguards/placement.js'
import { objectOf, envelopeFields, listOf, modelName, text } from '../schemas/common.js'
import type { BodyOf, Schema } from '../schemas/schema.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import { post } from './body-routes.js'
import type { Exchange } from './exchange.js'
import { modelIdsRoute } from './route.js'
import type { Route } from './route.js'

/** Maximum bytes of an input: each may be a token, and a token takes a hundred bytes of the answer. */
const maxInputBytes = 131_072

/** Maximum number of token ids: some vocabularies normalise a text first, which may make it longer. */
const maxTokenList = 2 * maxInputBytes

const allowedInput = `a string of at most ${maxInputBytes} bytes in UTF-8`

const textToTokenize = objectOf({
  model: modelName,
  input: { ...text, maxLength: maxInputBytes, 'x-allowed': allowedInput },
})

const tokensToDetokenize = objectOf({
  model: modelName,
  tokens: { ...listOf({ type: 'integer' }), maxItems: maxTokenList },
})

const tokenize = async ({ model, input }: BodyOf<typeof textToTokenize>, exchange: Exchange): Promise<Answer> => {
  if (Buffer.byteLength(input) > maxInputBytes) throw invalidField('input', `must be ${allowedInput}`)
  const { descriptor, service } = exchange.choose(tokens, model)
  const result = await service.tokenize({ text: input }, exchange.callOptions())
  return { kind: 'chunks', chunks: tokenList(result.tokens, exchange.envelope('token', 'tokens', descriptor.id)) }
}

const detokenize = async (body: BodyOf<typeof tokensToDetokenize>, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(tokens, body.model)
  const { text } = await service.detokenize({ tokens: body.tokens.map(tokenId) }, exchange.callOptions())
  return json({ ...exchange.envelope('token', 'tokens', descriptor.id), text })
}

const offset: Schema = { type: 'integer', description: 'in Unicode code points of the input' }

const tokenSchema = listOf(objectOf({ id: { type: 'integer' }, start: offset, stop: offset, end: offset, text }))

const common = { capability: tokens.name, tag: 'Tokens', safeguards: noSafeguards } as const

export const tokenRoutes: readonly Route[] = [
  post({
    ...common,
    path: '/tokenize',
    summary: 'Text to tokens',
    fields: { text: 'input' },
    request: () => textToTokenize,
    response: objectOf({ ...envelopeFields('tokens'), tokens: tokenSchema, data: tokenSchema }),
    handle: tokenize,
  }),
  modelIdsRoute('/tokenize', tokens),
  post({
    ...common,
    path: '/detokenize',
    summary: 'Tokens to text',
    request: () => tokensToDetokenize,
    response: objectOf({ ...envelopeFields('tokens'), text }),
    handle: detokenize,
  }),
  modelIdsRoute('/detokenize', tokens),
]

/** An id that is in no vocabulary. */
const unknownTokenId = 2 ** 31 - 1

/** Maps ids that no vocabulary has to a single one. */
export const tokenId = (id: number): number => (id >= 0 && id < unknownTokenId ? id : unknownTokenId)

/** How many tokens become JSON in one go. */
const tokensPerChunk = 256

/**
 * The answer in chunks: a hundred thousand tokens as one JSON text would hold the event loop for a second. The list is
 * written twice, because clients read either `tokens` or `data`.
 */
export function* tokenList(tokens: readonly Token[], envelope: Envelope): Generator<string> {
  yield `${JSON.stringify(envelope).slice(0, -1)},"tokens":[`
  yield* items(tokens)
  yield '],"data":['
  yield* items(tokens)
  yield ']}'
}

function* items(tokens: readonly Token[]): Generator<string> {
  for (let from = 0; from < tokens.length; from += tokensPerChunk) {
    const list = JSON.stringify(tokens.slice(from, from + tokensPerChunk).map(item))
    yield (from ? ',' : '') + list.slice(1, -1)
  }
}

/** Clients read either `stop` or `end`. */
const item = ({ id, start, end, text }: Token) => ({ id, start, stop: end, end, text })
