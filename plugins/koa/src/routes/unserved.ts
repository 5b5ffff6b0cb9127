/** Routes of the interface that no code serves yet: rows without a handler, answered with 404. */

import { tools } from '@sallyport/core'
import { unserved } from './route.js'
import type { Route } from './route.js'

const both = ['specification', 'openai'] as const

export const unservedRoutes: readonly Route[] = [
  unserved('POST', { path: '/responses', dialects: both, capability: 'responses', summary: 'Answer with tools' }),
  unserved('GET', { path: '/responses', dialects: both, capability: 'responses', summary: 'Ids of models' }),
  unserved('GET', {
    path: '/mcp_servers',
    dialects: ['specification'],
    capability: tools.name,
    summary: 'List tool servers',
  }),
  unserved('GET', { path: '/mcp_tools', dialects: ['specification'], capability: tools.name, summary: 'List tools' }),
]
