import { tokens } from '@sallyport/core'
import { nowhere } from '../body/misplaced.js'
import type { Schema } from '../body/schema.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import { connectionCheck } from './connection-check.js'
import type { Exchange } from './exchange.js'
import { post } from './route.js'
import type { Route } from './route.js'
import { tokenId } from './token-id.js'
import { answer, envelopeProperties, listOf, modelName } from './schemas/common.js'

interface TokenizeBody {
  model: string
  input: string
}

interface DetokenizeBody {
  model: string
  tokens: number[]
}

const tokenize = async (body: TokenizeBody, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(tokens, body.model)
  const result = await service.tokenize({ text: body.input }, exchange.call())
  // Clients read either `stop` or `end`, and either `tokens` or `data`.
  const list = result.tokens.map(({ id, start, end, text }) => ({ id, start, stop: end, end, text }))
  return json({ ...exchange.envelope('token', 'tokens', descriptor.id), tokens: list, data: list })
}

const detokenize = async (body: DetokenizeBody, exchange: Exchange): Promise<Answer> => {
  const { descriptor, service } = exchange.choose(tokens, body.model)
  const { text } = await service.detokenize({ tokens: body.tokens.map(tokenId) }, exchange.call())
  return json({ ...exchange.envelope('token', 'tokens', descriptor.id), text })
}

/** Characters: each may be a token, and a token takes a hundred bytes of the answer. */
const longestInput = 262_144

const offset: Schema = { type: 'integer', description: 'in Unicode code points of the input' }

const tokenList = listOf(
  answer({ id: { type: 'integer' }, start: offset, stop: offset, end: offset, text: { type: 'string' } }),
)

const common = { dialects: ['specification'], capability: tokens.name, tag: 'Tokens', safeguards: nowhere } as const

export const tokenRoutes: readonly Route[] = [
  post<TokenizeBody>({
    ...common,
    path: '/tokenize',
    summary: 'Text to tokens',
    fields: { text: 'input' },
    request: () => ({
      type: 'object',
      required: ['model', 'input'],
      properties: { model: modelName, input: { type: 'string', maxLength: longestInput } },
    }),
    response: answer({ ...envelopeProperties('tokens'), tokens: tokenList, data: tokenList }),
    handle: tokenize,
  }),
  connectionCheck('/tokenize', tokens, ['specification']),
  post<DetokenizeBody>({
    ...common,
    path: '/detokenize',
    summary: 'Tokens to text',
    request: () => ({
      type: 'object',
      required: ['model', 'tokens'],
      properties: { model: modelName, tokens: { type: 'array', items: { type: 'integer' }, maxItems: 1_000_000 } },
    }),
    response: answer({ ...envelopeProperties('tokens'), text: { type: 'string' } }),
    handle: detokenize,
  }),
  connectionCheck('/detokenize', tokens, ['specification']),
]
