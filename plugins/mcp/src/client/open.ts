import { StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ServerFault } from '../fault.js'
import type { ToolTransport } from '../transport/tool-transport.js'
import { Connection } from './connection.js'
import type { ConnectionParts } from './connection.js'

export interface OpenOptions extends ConnectionParts {
  /** Transports to try in order, while the server does not speak the protocol over one. */
  readonly transports: readonly (() => ToolTransport)[]
}

/** Statuses that tell that a server may speak the older HTTP+SSE form of the protocol (revision 2025-11-25). */
const olderProtocolStatuses: ReadonlySet<number | undefined> = new Set([400, 404, 405])

/** @throws ServerFault and errors of HTTP and the protocol; the signal's reason */
export const openConnection = async (opening: OpenOptions, signal: AbortSignal): Promise<Connection> => {
  const { connectTimeout } = opening.limits
  const late = new AbortController()
  const fault = new ServerFault(`did not answer within ${connectTimeout} seconds`)
  const timer = setTimeout(() => late.abort(fault), connectTimeout * 1000)
  try {
    return await firstConnection(opening, AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

const firstConnection = async (opening: OpenOptions, signal: AbortSignal): Promise<Connection> => {
  const { transports } = opening
  for (const [index, open] of transports.entries()) {
    try {
      return await Connection.over(open(), opening, signal)
    } catch (error) {
      const next =
        error instanceof StreamableHTTPError && olderProtocolStatuses.has(error.code) && index + 1 < transports.length
      if (!next) throw error
    }
  }
  throw new ServerFault('cannot be reached')
}
