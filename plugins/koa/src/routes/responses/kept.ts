/** What is kept of earlier responses, and of this one. */

import { failure } from '@sallyport/core'
import { wireItem } from '../../dialects/responses/output-items.js'
import { wireResponse } from '../../dialects/responses/resource.js'
import type { ResponseState } from '../../dialects/responses/resource.js'
import type { Exchange } from '../exchange.js'
import type { ItemBody, ResponseBody } from './body.js'
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
  const { responses: store, identity, logger, requestId } = context
  const { previous_response_id: previous } = body
  if (!store) {
    if (previous !== undefined) throw nothingKept('previous_response_id')
    return { earlier: { items: [], find: () => undefined }, stores: false, keep: () => false }
  }
  const { tenant } = identity
  const items = previous === undefined ? [] : (store.items(tenant, previous) as ItemBody[] | undefined)
  if (!items)
    throw failure('invalid_request', {
      field: 'previous_response_id',
      problem: 'names no response that is kept: it has expired, was deleted, or never was',
    })
  const stores = body.store ?? true
  return {
    earlier: { items, find: (id) => store.item(tenant, id) as ItemBody | undefined },
    stores,
    keep: (state, own) => {
      const output = state.output.map((item) => wireItem('openai', item) as ItemBody)
      try {
        store.put(tenant, { id: state.id, response: wireResponse('openai', state), input: [...items, ...own], output })
        return true
      } catch (error) {
        logger.warn({ requestId, err: error }, 'the response could not be kept')
        return false
      }
    },
  }
}

export const nothingKept = (field: string) =>
  failure('unsupported', {
    field,
    problem: 'responses are not kept here: send the whole conversation as "input", or set server.responses.store',
  })
