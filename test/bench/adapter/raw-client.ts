/**
 * A client that writes prepared bytes and waits for as many as the answer announces. `node:http` costs half a
 * millisecond by itself, which would be taken for the server's.
 */

import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface RawRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export class RawClient {
  private readonly idle: Connection[] = []
  private readonly bytes: string

  constructor(
    private readonly url: URL,
    { path, headers, body }: RawRequest,
  ) {
    const lines = Object.entries({ host: url.host, ...headers, 'content-length': String(Buffer.byteLength(body)) })
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    this.bytes = `POST ${path} HTTP/1.1\r\n${head}\r\n${body}`
  }

  /** Sends the request over a connection that is free, or a new one. @throws for any answer but 200 */
  async send(): Promise<void> {
    const connection = this.idle.pop() ?? new Connection(connect(Number(this.url.port), this.url.hostname))
    await connection.exchange(this.bytes)
    this.idle.push(connection)
  }

  close(): void {
    for (const connection of this.idle.splice(0)) connection.close()
  }
}

/** One request at a time. */
class Connection {
  private received = ''
  private settle: { readonly resolve: () => void; readonly reject: (reason: Error) => void } | undefined

  constructor(private readonly socket: Socket) {
    socket.setNoDelay(true).setEncoding('latin1')
    socket.on('data', (text: string) => this.take(text))
    socket.on('error', (error) => this.settle?.reject(error))
    socket.on('close', () => this.settle?.reject(new Error('the server closed the connection')))
  }

  exchange(bytes: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject }
      this.socket.write(bytes)
    })
  }

  close(): void {
    this.socket.destroy()
  }

  private take(text: string): void {
    this.received += text
    const headEnd = this.received.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.received.slice(0, headEnd)
    const length = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (!head.startsWith('HTTP/1.1 200 ') || Number.isNaN(length))
      this.settle?.reject(new Error(`not an answer of known length: ${this.received}`))
    else if (this.received.length >= headEnd + 4 + length) {
      this.received = ''
      this.settle?.resolve()
    }
  }
}
