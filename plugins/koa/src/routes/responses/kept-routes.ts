/** Responses that are kept, by their ids. */

import { json } from '../answer.js'
import type { Answer } from '../answer.js'
import type { Exchange } from '../exchange.js'
import { get, remove } from '../route.js'
import type { Route } from '../route.js'
import { answer, opaque } from '../schemas/common.js'
import { responseResource } from './answer-schemas.js'
import { nothingKept, unknownResponse } from './kept.js'

const show = ({ context }: Exchange): Answer => {
  const { responses, identity, params } = context
  if (!responses) throw nothingKept('id')
  const response = responses.response(identity.tenant, params['id'] ?? '')
  if (response === undefined) throw unknownResponse()
  return json(response)
}

const forget = ({ context }: Exchange): Answer => {
  const { responses, identity, params } = context
  if (!responses) throw nothingKept('id')
  const { id = '' } = params
  if (!responses.remove(identity.tenant, id)) throw unknownResponse()
  return json({ id, object: 'response.deleted', deleted: true })
}

const common = { path: '/responses/:id', dialects: ['openai'], tag: 'Generation' } as const

export const keptRoutes: readonly Route[] = [
  get({ ...common, summary: 'Show a response that is kept', response: responseResource, handle: show }),
  remove({
    ...common,
    summary: 'Forget a response',
    response: answer({
      id: opaque('must equal the id of a response'),
      object: { type: 'string', enum: ['response.deleted'] },
      deleted: { type: 'boolean' },
    }),
    handle: forget,
  }),
]
