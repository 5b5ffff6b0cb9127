import type { Kernel } from '@sallyport/core'
import type { ServerOptions } from '../options.js'
import { plain } from './answer.js'
import { get } from './route.js'
import type { Route } from './route.js'

/** The metrics of the process, where a plugin collects them. */
export const metricsRoutes = ({ metrics }: Kernel, { metrics: access }: ServerOptions): readonly Route[] =>
  metrics
    ? [
        get({
          ...(access === 'open' && { access }),
          path: '/metrics',
          dialects: ['specification'],
          tag: 'Health',
          summary: 'Metrics of the server, in Prometheus’s text format',
          media: 'text/plain',
          handle: async () => plain(await metrics()),
        }),
      ]
    : []
