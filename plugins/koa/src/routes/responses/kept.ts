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

/** @throws unsupported where nothing is kept; invalid_request for what is not */
export const kept = (body: ResponseBody, { context }: Exchange): History => {
  const { responses: store } = context
  const { previous_response_id: previous } = body
  if (!store) {
    if (previous !== undefined) throw nothingKept('previous_response_id')
    return { earlier: { items: [], find: () => undefined }, stores: false, keep: () => false }
  }
  return {
    earlier: { items: conversationUpTo(previous, store, context), find: finder(store, context) },
    stores: body.store ?? true,
    keep: keeper(previous, store, context),
  }
}

/** Responses of one conversation. */
const mostTurns = 1024

/** The items of a response and of all before it, the oldest first. @throws invalid_request, overloaded, rate_limited */
const conversationUpTo = (id: string | undefined, store: ResponseStore, context: ExchangeContext): ItemBody[] => {
  const { identity, hold } = context
  const turns: ItemBody[][] = []
  for (let next = id; next !== undefined;) {
    if (turns.length === mostTurns) throw tooLong()
    const turn = store.turn(identity.tenant, next, hold)
    if (!turn) throw unknownResponse('previous_response_id', 'it or one before it')
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
const finder = (store: ResponseStore, { identity, hold }: ExchangeContext): FindItem => {
  const found = new Map<string, ItemBody | undefined>()
  return (id) => {
    if (!found.has(id)) found.set(id, store.item(identity.tenant, id, hold) as ItemBody | undefined)
    return found.get(id)
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
export const unknownResponse = (field: string, missing = 'it') =>
  failure('invalid_request', {
    field,
    problem: `names no response that is kept: ${missing} has expired, was deleted, or never was`,
  })
