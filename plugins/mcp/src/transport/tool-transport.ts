import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

export interface MessageLimits {
  /** The maximum number of bytes of a message. */
  readonly maxBytes: number
  /** The maximum number of messages in ten seconds, not counting expected responses. */
  readonly maxMessages: number
  /** The tenant, or the label of a configured server; the messages of several are read in turns. */
  readonly tenant: string
}

export interface ToolTransport extends Transport {
  /** Why the server was lost; undefined while it is up, and where this side closed it first. */
  readonly failure: Error | undefined
  /** Ends the session with the server, if there is one; to be called before closing. */
  endSession?(): Promise<void>
}

export type TransportFactory = () => ToolTransport
