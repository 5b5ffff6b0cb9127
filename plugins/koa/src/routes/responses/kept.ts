/** What is kept of earlier responses, and of this one. */

import { failure } from '@sallyport/core'
import { wireItem } from '../../dialects/responses/output-items.js'
import { wireResponse } from '../../dialects/responses/resource.js'
import type { ResponseState } from '../../dialects/responses/resource.js'
import type { ResponseStore } from '../../responses/response-store.js'
import type { Exchange, ExchangeContext } from '../exchange.js'
import type { ItemBody, ResponseBody } from './body.js'
import type { FindItem } from './items.js'
import type { Earlier } from './request.js'

export interface History {
  readonly earlier: Earlier
  /** Whether this response shall be kept. */
  readonly stores: boolean
  /**
   * Returns whether it is kept: that it cannot be is no reason to withhold it.
   * @param items those of the request
   */
  readonly keep: (state: ResponseState, items: readonly ItemBody[]) => boolean
}

/** @throws unsupported where nothing is kept; previous_response_not_found, invalid_request for what is not */
export const kept = (body: ResponseBody, { context }: Exchange): History => {
  const { responses: store } = context
  const { previous_response_id: previous } = body
  if (!store) {
    if (previous !== undefined) throw nothingKept('previous_response_id')
    return { earlier: { items: [], find: () => undefined }, stores: false, keep: () => false }
  }
  const take = allowance(context)
  return {
    earlier: { items: conversationUpTo(previous, store, context, take), find: finder(store, context, take) },
    stores: body.store ?? true,
    keep: keeper(previous, store, context),
  }
}

/** Responses of one conversation. */
const mostTurns = 1024

/** Told of bytes of what was kept, as often as the request uses them. @throws payload_too_large */
type Take = (bytes: number) => void

/** What a request names of earlier ones may be as large as what it brings. */
const allowance = ({ options }: ExchangeContext): Take => {
  let left = options.limits.body
  return (bytes) => {
    left -= bytes
    if (left < 0)
      throw failure('payload_too_large', {
        limit: `${options.limits.body} bytes, with what is kept of earlier responses`,
      })
  }
}

/** The items of a response and of all before it, the oldest first. @throws previous_response_not_found, invalid_request, overloaded, rate_limited */
const conversationUpTo = (
  id: string | undefined,
  store: ResponseStore,
  { identity, hold }: ExchangeContext,
  take: Take,
): ItemBody[] => {
  const turns: ItemBody[][] = []
  for (let next = id; next !== undefined;) {
    if (turns.length === mostTurns) throw tooLong()
    const turn = store.turn(identity.tenant, next, (bytes) => {
      take(bytes)
      hold(bytes)
    })
    if (!turn)
      throw failure('previous_response_not_found', {
        field: 'previous_response_id',
        problem: unknown('it or one before it'),
      })
    turns.push(turn.items as ItemBody[])
    next = turn.previous
  }
  return turns.reverse().flat()
}

const tooLong = () =>
  failure('invalid_request', {
    field: 'previous_response_id',
    problem: `continues more than ${mostTurns} responses: begin anew, with what still matters as "input"`,
  })

/** Reads each item once. */
const finder = (store: ResponseStore, { identity, hold }: ExchangeContext, take: Take): FindItem => {
  const found = new Map<string, { readonly item: ItemBody | undefined; readonly bytes: number }>()
  return (id) => {
    const { item, bytes } = found.get(id) ?? read(id)
    take(bytes)
    return item
  }

  function read(id: string) {
    let bytes = 0
    const item = store.item(identity.tenant, id, (length) => {
      bytes += length
      hold(length)
    })
    const known = { item: item as ItemBody | undefined, bytes }
    found.set(id, known)
    return known
  }
}

const keeper =
  (previous: string | undefined, store: ResponseStore, context: ExchangeContext): History['keep'] =>
  (state, input) => {
    const { identity, logger, requestId } = context
    const output = state.output.map((item) => wireItem('openai', item) as ItemBody)
    try {
      store.put(identity.tenant, { id: state.id, previous, response: wireResponse('openai', state), input, output })
      return true
    } catch (error) {
      logger.warn({ requestId, err: error }, 'the response could not be kept')
      return false
    }
  }

export const nothingKept = (field: string) =>
  failure('unsupported', {
    field,
    problem: 'responses are not kept here: send the whole conversation as "input", or set server.responses.store',
  })

/** The same for one of another key. */
export const unknownResponse = () => failure('response_not_found', { field: 'id', problem: unknown('it') })

const unknown = (missing: string): string =>
  `names no response that is kept: ${missing} has expired, was deleted, or never was`
