import type { Frame, RequestFrame, ResponseFrame, Transport } from './protocol.js'

/** One end of the transport. The other end receives copies of the frames, in a later turn of the event loop. */
class Endpoint<Out extends Frame> implements Transport<Out> {
  private peer: { receive(frames: readonly Frame[]): void; closeWith(reason: string): void } | undefined
  private listener: ((frame: unknown) => void) | undefined
  private closeListener: ((reason: string) => void) | undefined
  private closed = false

  connect(peer: NonNullable<typeof this.peer>): void {
    this.peer = peer
  }

  send(frames: readonly Out[]): void {
    if (this.closed) return
    const copy = structuredClone(frames)
    setImmediate(() => this.peer?.receive(copy))
  }

  onFrame(listener: (frame: unknown) => void): void {
    this.listener = listener
  }

  onClose(listener: (reason: string) => void): void {
    this.closeListener = listener
  }

  close(): void {
    this.closeWith('closed here')
    setImmediate(() => this.peer?.closeWith('closed by the other side'))
  }

  receive(frames: readonly Frame[]): void {
    if (!this.closed) for (const frame of frames) this.listener?.(frame)
  }

  closeWith(reason: string): void {
    if (this.closed) return
    this.closed = true
    this.closeListener?.(reason)
  }
}

/** A transport within the process: an end for the client and one for the server, which share no memory. */
export const inProcessTransport = (): [client: Transport<RequestFrame>, server: Transport<ResponseFrame>] => {
  const client = new Endpoint<RequestFrame>()
  const server = new Endpoint<ResponseFrame>()
  client.connect(server)
  server.connect(client)
  return [client, server]
}
