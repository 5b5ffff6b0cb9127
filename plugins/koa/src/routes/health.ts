/** The routes that need no key. */

import { failure } from '@sallyport/core'
import { json, plain } from './answer.js'
import type { Answer } from './answer.js'
import type { Exchange } from './exchange.js'
import { get } from './route.js'
import type { Route } from './route.js'
import { opaque } from '../schemas/common.js'

/** Models that load on demand do not hold the server up. */
const isReady = ({ context: { kernel } }: Exchange): boolean =>
  kernel.state === 'ready' &&
  kernel.models().every(({ id }) => ['ready', 'loading', 'unloaded'].includes(kernel.modelState(id) ?? ''))

const whenReady =
  (answer: Answer) =>
  (exchange: Exchange): Answer => {
    if (isReady(exchange)) return answer
    const { state } = exchange.context.kernel
    const loading = state === 'starting' || state === 'ready'
    throw failure('not_ready', { state: loading ? 'loading' : 'draining' }, { retryAfter: 1 })
  }

const status = { type: 'object', properties: { status: { type: 'string', enum: ['alive', 'ready'] } } } as const

const common = { access: 'open', dialects: ['specification'], tag: 'Health' } as const

export const healthRoutes: readonly Route[] = [
  get({
    ...common,
    path: '/',
    summary: 'A short text, to check that the server answers',
    media: 'text/plain',
    handle: () => plain('Sallyport is running.\n'),
  }),
  get({
    ...common,
    path: '/healthz',
    summary: 'Whether the server is alive',
    response: status,
    handle: () => json({ status: 'alive' }),
  }),
  get({
    ...common,
    path: '/readyz',
    summary: 'Whether the server takes requests: not while models load, nor while it drains',
    response: status,
    handle: whenReady(json({ status: 'ready' })),
  }),
  get({ ...common, path: '/readiness', summary: 'Whether every model is ready', handle: whenReady({ kind: 'empty' }) }),
  get({
    ...common,
    path: '/openapi.json',
    summary: 'This document',
    response: opaque('made of the route table and the schemas', { type: 'object' }),
    handle: ({ context }) => json(context.document()),
  }),
]
