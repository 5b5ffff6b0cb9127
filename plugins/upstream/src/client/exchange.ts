import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import { BadReply } from '../wire/read.js'
import type { Watch } from './watch.js'

export interface Outgoing {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** How long to wait, in seconds, and what to throw then. */
export interface Patience {
  readonly firstByte: number
  readonly idle: number
  readonly expired: (what: 'firstByte' | 'idle', seconds: number) => Error
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Seconds that a finished body may take to reach its end, so that the connection can be used again. */
const settleTime = 1
/** Bytes that may still come. */
const settleBytes = 64 * 1024

/** An answer whose first bytes have come. */
export class Reply {
  #idle: number

  constructor(
    readonly status: number,
    readonly headers: Headers,
    private readonly body: Dispatcher.ResponseData['body'],
    private readonly queue: ByteQueue,
    private readonly first: Uint8Array | undefined,
    private readonly watch: Watch,
    private readonly patience: Patience,
  ) {
    this.#idle = patience.idle
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /** Bytes of the body, in order. @throws BadReply for more than `limit` bytes; what the watch says; connection errors */
  async *bytes(limit: number): AsyncGenerator<Uint8Array> {
    let size = 0
    for (let chunk = this.first; chunk; chunk = await this.#next()) {
      size += chunk.length
      if (size > limit) throw new BadReply('its answer is over the limit')
      yield chunk
    }
  }

  async text(limit: number): Promise<string> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of this.bytes(limit)) text += decoder.decode(chunk, { stream: true })
    return text + decoder.decode()
  }

  /** What matters has come. */
  hurry(): void {
    this.#idle = Math.min(this.#idle, settleTime)
  }

  /** Closes the connection, unless the body has been read to its end. */
  destroy(): void {
    this.body.destroy()
  }

  /** Reads a finished body to its end in the background, so that the connection can be used again. */
  settle(): void {
    const timer = setTimeout(() => this.body.destroy(), settleTime * 1000)
    const rest = async () => {
      let size = 0
      for (let chunk = await this.queue.next(); chunk; chunk = await this.queue.next()) {
        size += chunk.length
        if (size > settleBytes) this.body.destroy()
      }
    }
    rest()
      .catch(() => undefined)
      .finally(() => clearTimeout(timer))
  }

  #next(): Promise<Uint8Array | undefined> {
    const seconds = this.#idle
    return this.watch.within(this.queue.next(), seconds, () => this.patience.expired('idle', seconds))
  }
}

/**
 * Sends a request and waits for the first bytes of the body. Redirects are answers like others, and nothing is
 * decompressed.
 * @throws what the watch says; connection errors
 */
export const exchange = (
  dispatcher: Dispatcher,
  { url, ...request }: Outgoing,
  watch: Watch,
  patience: Patience,
): Promise<Reply> => {
  const open = async () => {
    const { statusCode, headers, body } = await dispatcher.request({
      ...request,
      origin: url.origin,
      path: url.pathname + url.search,
      signal: watch.signal,
    })
    const queue = new ByteQueue(body)
    return new Reply(statusCode, headers, body, queue, await queue.next(), watch, patience)
  }
  return watch.within(open(), patience.firstByte, () => patience.expired('firstByte', patience.firstByte))
}

/** Bytes that wait before the source is asked to pause. */
const maxWaiting = 256 * 1024

/**
 * Bytes of a body as they come. Unlike a `Readable`'s own iterator it gives out what had come before an error, and
 * only then the error.
 */
class ByteQueue {
  #chunks: Uint8Array[] = []
  #size = 0
  #end: { readonly error?: unknown } | undefined
  #wake: () => void = () => undefined

  constructor(private readonly source: Readable) {
    source
      .on('data', (chunk: Uint8Array) => this.#add(chunk))
      .on('end', () => this.#finish({}))
      .on('error', (error) => this.#finish({ error }))
  }

  /** All that has come, or will come next; undefined at the end. There may be one reader at a time. */
  async next(): Promise<Uint8Array | undefined> {
    while (!this.#size && !this.#end) await new Promise<void>((resolve) => (this.#wake = resolve))
    if (this.#size) return this.#take()
    if (this.#end && 'error' in this.#end) throw this.#end.error
    return undefined
  }

  #add(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size > maxWaiting) this.source.pause()
    this.#wake()
  }

  #take(): Uint8Array {
    const [first, ...more] = this.#chunks
    const bytes = first && !more.length ? first : Buffer.concat(this.#chunks)
    this.#chunks = []
    this.#size = 0
    this.source.resume()
    return bytes
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end
    this.#wake()
  }
}
