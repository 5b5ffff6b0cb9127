import { failure, tokens } from '@sallyport/core'
import { nowhere } from '../body/misplaced.js'
import type { Schema } from '../body/schema.js'
import { tokenList } from '../dialects/tokens.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import { connectionCheck } from './connection-check.js'
import type { Exchange } from './exchange.js'
import { post } from './body-routes.js'
import type { Route } from './route.js'
import { tokenId } from './token-id.js'
import { answer, envelopeProperties, listOf, modelName, text } from './schemas/common.js'

interface TokenizeBody {
  model: string
  input: string
}

interface DetokenizeBody {
  model: string
  tokens: number[]
}

/** Bytes: each may be a token, and a token takes a hundred bytes of the answer. */
const longestInput = 131_072

/** Some vocabularies split what they have normalised, which may be longer. */
const longestTokenList = 2 * longestInput

const allowedInput = `a string of at most ${longestInput} bytes in UTF-8`

const tokenize = async ({ model, input }: TokenizeBody, exchange: Exchange): Promise<Answer> => {
  if (Buffer.byteLength(input) > longestInput)
    throw failure('invalid_request', { field: 'input', problem: `must be ${allowedInput}` })
  const { descriptor, service } = exchange.choose(tokens, model)
  const result = await service.tokenize({ text: input }, exchange.call())
  return { kind: 'pieces', pieces: tokenList(result.tokens, exchange.envelope('token', 'tokens', descriptor.id)) }
}

const detokenize = async (body: DetokenizeBody, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(tokens, body.model)
  const { text } = await service.detokenize({ tokens: body.tokens.map(tokenId) }, exchange.call())
  return json({ ...exchange.envelope('token', 'tokens', descriptor.id), text })
}

const offset: Schema = { type: 'integer', description: 'in Unicode code points of the input' }

const tokenSchema = listOf(answer({ id: { type: 'integer' }, start: offset, stop: offset, end: offset, text }))

const common = {
  dialects: ['specification', 'openai'],
  capability: tokens.name,
  tag: 'Tokens',
  safeguards: nowhere,
} as const

export const tokenRoutes: readonly Route[] = [
  post<TokenizeBody>({
    ...common,
    path: '/tokenize',
    summary: 'Text to tokens',
    fields: { text: 'input' },
    request: () => ({
      type: 'object',
      required: ['model', 'input'],
      properties: { model: modelName, input: { ...text, maxLength: longestInput, 'x-allowed': allowedInput } },
    }),
    response: answer({ ...envelopeProperties('tokens'), tokens: tokenSchema, data: tokenSchema }),
    handle: tokenize,
  }),
  connectionCheck('/tokenize', tokens),
  post<DetokenizeBody>({
    ...common,
    path: '/detokenize',
    summary: 'Tokens to text',
    request: () => ({
      type: 'object',
      required: ['model', 'tokens'],
      properties: {
        model: modelName,
        tokens: { type: 'array', items: { type: 'integer' }, maxItems: longestTokenList },
      },
    }),
    response: answer({ ...envelopeProperties('tokens'), text }),
    handle: detokenize,
  }),
  connectionCheck('/detokenize', tokens),
]
