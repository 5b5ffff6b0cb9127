import type { Capability } from '@sallyport/core'
import { json } from './answer.js'
import { get } from './route.js'
import type { Route } from './route.js'
import { modelIds } from './schemas/common.js'

/** GET on a path that takes requests: the ids of the models usable there. Clients check their connection with it. */
export const connectionCheck = (path: string, capability: Capability): Route =>
  get({
    path,
    dialects: ['specification', 'openai'],
    capability: capability.name,
    tag: 'Discovery',
    summary: `Ids of the models for ${path}`,
    response: modelIds,
    handle: (exchange) => json(exchange.models(capability).map(({ id }) => id)),
  })
