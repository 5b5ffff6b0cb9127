import type { Frame, RequestFrame, ResponseFrame, Transport } from './protocol.js'

/** One end of the transport. Frames arrive at the other end as copies, in a later turn of the event loop. */
class End<Out extends Frame> implements Transport<Out> {
  private peer: { arrive(frames: readonly Frame[]): void; end(reason: string): void } | undefined
  private listener: ((frame: unknown) => void) | undefined
  private closeListener: ((reason: string) => void) | undefined
  private closed = false

  connect(peer: NonNullable<typeof this.peer>): void {
    this.peer = peer
  }

  send(frames: readonly Out[]): void {
    if (this.closed) return
    const copy = structuredClone(frames)
    setImmediate(() => this.peer?.arrive(copy))
  }

  onFrame(listener: (frame: unknown) => void): void {
    this.listener = listener
  }

  onClose(listener: (reason: string) => void): void {
    this.closeListener = listener
  }

  close(): void {
    this.end('closed here')
    setImmediate(() => this.peer?.end('closed by the other side'))
  }

  arrive(frames: readonly Frame[]): void {
    if (!this.closed) for (const frame of frames) this.listener?.(frame)
  }

  end(reason: string): void {
    if (this.closed) return
    this.closed = true
    this.closeListener?.(reason)
  }
}

/** A transport within the process: an end for the client and one for the server, which share no memory. */
export const inProcessTransport = (): [client: Transport<RequestFrame>, server: Transport<ResponseFrame>] => {
  const client = new End<RequestFrame>()
  const server = new End<ResponseFrame>()
  client.connect(server)
  server.connect(client)
  return [client, server]
}
