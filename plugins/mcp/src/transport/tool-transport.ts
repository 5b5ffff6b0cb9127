import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What of a server's messages is read. */
export interface MessageLimits {
  /** Bytes of one. */
  readonly maxBytes: number
  /** In ten seconds, besides answers. */
  readonly maxMessages: number
  /** For whom they are read, in turns with other work. */
  readonly tenant: string
}

export interface ToolTransport extends Transport {
  /** Why the server is lost; undefined while it is not, or where it was closed here. */
  readonly failure: Error | undefined
  /** Ends the session with the server, where there is one, before the transport is closed. */
  endSession?(): Promise<void>
}
