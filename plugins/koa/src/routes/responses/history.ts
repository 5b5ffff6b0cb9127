/** The conversation that a request continues, and the storage of its response. */

import { failure } from '@sallyport/core'
import type { ReplacedText } from '@sallyport/core'
import { wireItem } from '../../dialects/responses/output-items.js'
import { wireResponse } from '../../dialects/responses/resource.js'
import type { ResponseState } from '../../dialects/responses/resource.js'
import { invalidField } from '../../invalid-field.js'
import type { ResponseStore, Turn } from '../../response-store/response-store.js'
import { objectOf, opaque } from '../../schemas/common.js'
import { json } from '../answer.js'
import type { Answer } from '../answer.js'
import type { Exchange, ExchangeContext } from '../exchange.js'
import { get, remove } from '../route.js'
import type { Route } from '../route.js'
import { responseResource } from './answer-schemas.js'
import type { ItemBody } from './item-schemas.js'
import type { FindItem } from './items.js'
import type { EarlierResponses } from './request.js'
import type { ResponseBody } from './schemas.js'

export interface History {
  readonly earlier: EarlierResponses
  /** Whether this response shall be stored. */
  readonly isStored: boolean
  /** What was replaced in the requests that this one continues. */
  readonly replaced: readonly ReplacedText[]
  /**
   * Returns whether the response was stored. A failure to store does not fail the response.
   * @param items the items of the request
   * @param replaced what was replaced in it, and not before
   */
  readonly save: (state: ResponseState, items: readonly ItemBody[], replaced: readonly ReplacedText[]) => boolean
}

/** @throws unsupported where nothing is stored, previous_response_not_found, invalid_request */
export const historyOf = (body: ResponseBody, { context }: Exchange): History => {
  const { responses: store } = context
  const { previous_response_id: previous } = body
  if (!store) {
    if (previous !== undefined) throw storageDisabled('previous_response_id')
    return { earlier: { items: [], find: () => undefined }, isStored: false, replaced: [], save: () => false }
  }
  const spend = historyBudget(context)
  const turns = turnsUpTo(previous, store, context, spend)
  const items = turns.flatMap((turn) => turn.items) as ItemBody[]
  return {
    earlier: { items, find: itemFinder(store, context, spend) },
    isStored: body.store ?? true,
    replaced: turns.flatMap((turn) => turn.replaced),
    save: responseSaver(previous, store, context),
  }
}

/** Maximum number of responses of one conversation. */
const maxTurns = 1024

/**
 * Counts bytes of stored items against the request's budget, each time that they are used.
 * @throws payload_too_large
 */
type SpendBytes = (bytes: number) => void

/** The stored items that a request refers to may have as many bytes as a body. */
const historyBudget = ({ options }: ExchangeContext): SpendBytes => {
  let left = options.limits.body
  return (bytes) => {
    left -= bytes
    const limit = `${options.limits.body} bytes, with the stored items of earlier responses`
    if (left < 0) throw failure('payload_too_large', { limit })
  }
}

/**
 * A response and all before it, the oldest first.
 * @throws previous_response_not_found, invalid_request, overloaded, rate_limited
 */
const turnsUpTo = (
  id: string | undefined,
  store: ResponseStore,
  { identity, reserve }: ExchangeContext,
  spend: SpendBytes,
): readonly Turn[] => {
  const field = 'previous_response_id'
  const turns: Turn[] = []
  for (let next = id; next !== undefined;) {
    const tooLong = `continues more than ${maxTurns} responses: begin anew, with what still matters as "input"`
    if (turns.length === maxTurns) throw invalidField(field, tooLong)
    const turn = store.turn(identity.tenant, next, (bytes) => {
      spend(bytes)
      reserve(bytes)
    })
    if (!turn) throw failure('previous_response_not_found', { field, problem: unknownProblem('it or one before it') })
    turns.push(turn)
    next = turn.previous
  }
  return turns.reverse()
}

/** Finds stored items, and reads each of them once. */
const itemFinder = (store: ResponseStore, { identity, reserve }: ExchangeContext, spend: SpendBytes): FindItem => {
  const found = new Map<string, { readonly item: ItemBody | undefined; readonly bytes: number }>()
  return (id) => {
    const { item, bytes } = found.get(id) ?? read(id)
    found.set(id, { item, bytes })
    spend(bytes)
    return item
  }

  function read(id: string) {
    let bytes = 0
    const item = store.item(identity.tenant, id, (length) => {
      bytes += length
      reserve(length)
    })
    return { item: item as ItemBody | undefined, bytes }
  }
}

const responseSaver =
  (previous: string | undefined, store: ResponseStore, context: ExchangeContext): History['save'] =>
  (state, input, replaced) => {
    const { identity, logger, requestId } = context
    const output = state.output.map((item) => wireItem('openai', item) as ItemBody)
    try {
      const response = wireResponse('openai', state)
      store.put(identity.tenant, { id: state.id, previous, response, input, output, replaced })
      return true
    } catch (error) {
      logger.warn({ requestId, err: error }, 'the response could not be stored')
      return false
    }
  }

const storageDisabled = (field: string) =>
  failure('unsupported', {
    field,
    problem: 'responses are not stored here: send the whole conversation as "input", or set server.responses.store',
  })

/** The message for an unknown response, or for one of another key. */
const unknownProblem = (missing: string): string =>
  `names no stored response: ${missing} has expired, was deleted, or never was`

/** Answers with what `use` returns of a stored response. @throws unsupported, response_not_found */
const storedAnswer =
  (use: (store: ResponseStore, tenant: string, id: string) => unknown) =>
  ({ context: { responses, identity, params } }: Exchange): Answer => {
    if (!responses) throw storageDisabled('id')
    const body = use(responses, identity.tenant, params['id'] ?? '')
    if (body !== undefined) return json(body)
    throw failure('response_not_found', { field: 'id', problem: unknownProblem('it') })
  }

const showResponse = storedAnswer((store, tenant, id) => store.response(tenant, id))

const deleteResponse = storedAnswer((store, tenant, id) =>
  store.delete(tenant, id) ? { id, object: 'response.deleted', deleted: true } : undefined,
)

const common = { path: '/responses/:id', dialects: ['openai'], tag: 'Generation' } as const

/** Routes that read and delete stored responses by id. */
export const storedResponseRoutes: readonly Route[] = [
  get({ ...common, summary: 'Show a stored response', response: responseResource, handle: showResponse }),
  remove({
    ...common,
    summary: 'Delete a stored response',
    response: objectOf({
      id: opaque('must equal the id of a response'),
      object: { type: 'string', enum: ['response.deleted'] },
      deleted: { type: 'boolean' },
    }),
    handle: deleteResponse,
  }),
]
