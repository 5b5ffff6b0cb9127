import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export interface ToolTransport extends Transport {
  /** Why the server is lost; undefined while it is not, or where it was closed here. */
  readonly failure: Error | undefined
  /** Ends the session with the server, where there is one, before the transport is closed. */
  endSession?(): Promise<void>
}
