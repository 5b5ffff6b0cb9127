import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** Limits of a server's messages. */
export interface MessageLimits {
  /** Max bytes of a message. */
  readonly maxBytes: number
  /** Max messages in ten seconds, not counting answers. */
  readonly maxMessages: number
  /** Whose server it is: reading messages of several tenants takes turns. */
  readonly tenant: string
}

export interface ToolTransport extends Transport {
  /** Why the server is lost; undefined while it is connected, or after {@link close}. */
  readonly failure: Error | undefined
  /** Ends the session with the server, if there is one; to be called before closing. */
  endSession?(): Promise<void>
}
