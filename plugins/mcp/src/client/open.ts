import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { TimeLimit } from '@sallyport/kit/async'
import { ServerFault } from '../fault.js'
import type { TransportFactory } from '../transport/tool-transport.js'
import { Connection } from './connection.js'
import type { ConnectionParts } from './connection.js'

export interface OpenOptions extends ConnectionParts {
  /** In the order in which to try them. */
  readonly transports: readonly TransportFactory[]
}

/** Statuses after which revision 2025-11-25 has clients try the older HTTP+SSE transport (revision 2024-11-05). */
const olderProtocolStatuses: ReadonlySet<number | undefined> = new Set([400, 404, 405])

/** @throws ServerFault and errors of HTTP and the protocol; the signal's reason */
export const openConnection = async (options: OpenOptions, signal: AbortSignal): Promise<Connection> => {
  const { connectTimeout } = options.limits
  const reason = () => new ServerFault(`did not answer within ${connectTimeout} seconds`)
  const limit = new TimeLimit(signal, { total: connectTimeout * 1000, reason })
  try {
    return await firstConnection(options, limit.signal)
  } finally {
    limit.end()
  }
}

const firstConnection = async (options: OpenOptions, signal: AbortSignal): Promise<Connection> => {
  const { transports } = options
  for (const [index, open] of transports.entries()) {
    try {
      return await Connection.over(open(), options, signal)
    } catch (error) {
      const next =
        error instanceof StreamableHTTPError && olderProtocolStatuses.has(error.code) && index + 1 < transports.length
      if (!next) throw error
    }
  }
  throw new ServerFault('cannot be reached')
}
