import { failure, tools } from '@sallyport/core'
import type { ModelDescriptor } from '@sallyport/core'
import { findModel } from '../safeguards/detectors.js'
import { objectOf, listingDate as date, listOf, opaque, servedModel } from '../schemas/common.js'
import { json } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { omitUndefined } from './generation.js'
import { ListedCapabilities } from './listed-capabilities.js'
import { get } from './route.js'
import type { Route } from './route.js'

const configured = opaque('from the configuration, or what runs the model')

const model = objectOf(
  {
    id: servedModel,
    object: { type: 'string', enum: ['model'] },
    created: date,
    owned_by: configured,
    description: configured,
    max_context_length: { type: 'integer' },
    prompt_format: configured,
    capabilities: {
      type: 'object',
      propertyNames: opaque('a name that the API or a plugin declares'),
      additionalProperties: { type: 'boolean' },
    },
  },
  ['max_context_length', 'prompt_format'],
)

const models = objectOf({ object: { type: 'string', enum: ['list'] }, data: listOf(model) })

const wireModel = (descriptor: ModelDescriptor, capabilities: ListedCapabilities, exchange: Exchange) => {
  const { id, created, ownedBy, description, contextLength, promptFormat } = descriptor
  return {
    ...{ id, object: 'model', created: listingDate(created, exchange), owned_by: ownedBy, description },
    ...omitUndefined({ max_context_length: contextLength, prompt_format: promptFormat }),
    capabilities: capabilities.of(descriptor),
  }
}

const list = (descriptors: readonly ModelDescriptor[], capabilities: ListedCapabilities, exchange: Exchange): Answer =>
  json({ object: 'list', data: descriptors.map((descriptor) => wireModel(descriptor, capabilities, exchange)) })

/** Tool servers are not models, and have listings of their own. */
const listed = (exchange: Exchange): readonly ModelDescriptor[] =>
  exchange.models().filter(({ capabilities }) => capabilities.some((name) => name !== tools.name))

const listAll = (exchange: Exchange): Answer =>
  list(listed(exchange), new ListedCapabilities(exchange.context), exchange)

const listCapable = (exchange: Exchange): Answer => {
  const capabilities = new ListedCapabilities(exchange.context)
  const has = capabilities.find(exchange.context.params['capability'] ?? '')
  return list(listed(exchange).filter(has), capabilities, exchange)
}

const showOne = (exchange: Exchange): Answer => {
  const id = exchange.context.params['id'] ?? ''
  const all = listed(exchange)
  const found = findModel(all, id)
  if (!found) throw failure('model_not_found', { model: id, available: all.map((descriptor) => descriptor.id) })
  return json(wireModel(found, new ListedCapabilities(exchange.context), exchange))
}

const common = { tag: 'Discovery', response: models } as const

export const modelRoutes: readonly Route[] = [
  get({ ...common, path: '/models', summary: 'List all models', handle: listAll }),
  get({
    ...common,
    path: '/models/:capability',
    dialects: ['specification'],
    summary: 'List the models of a capability; the first is the default',
    handle: listCapable,
  }),
  get({
    ...common,
    path: '/models/*id',
    dialects: ['openai'],
    summary: 'Describe one model',
    response: model,
    handle: showOne,
  }),
]

/** A date as listings write it: some clients only read text, which `listing_dates` configures. */
export const listingDate = (seconds: number, { context: { dialect, options } }: Exchange): number | string =>
  dialect.name === 'specification' && options.listing_dates === 'rfc3339'
    ? new Date(seconds * 1000).toISOString()
    : seconds
