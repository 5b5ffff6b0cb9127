import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ServerFault } from '../fault.js'
import type { ToolTransport } from '../transport/tool-transport.js'
import { Connection } from './connection.js'
import type { ConnectionParts } from './connection.js'

export interface OpenOptions extends ConnectionParts {
  /** Transports to try in order, until the server speaks the protocol over one of them. */
  readonly transports: readonly (() => ToolTransport)[]
}

/** Statuses that suggest that a server speaks the older HTTP+SSE form of the protocol (revision 2025-11-25). */
const olderProtocolStatuses: ReadonlySet<number | undefined> = new Set([400, 404, 405])

/** @throws ServerFault and errors of HTTP and the protocol; the signal's reason */
export const openConnection = async (options: OpenOptions, signal: AbortSignal): Promise<Connection> => {
  const { connectTimeout } = options.limits
  const late = new AbortController()
  const fault = new ServerFault(`did not answer within ${connectTimeout} seconds`)
  const timer = setTimeout(() => late.abort(fault), connectTimeout * 1000)
  try {
    return await firstConnection(options, AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
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
