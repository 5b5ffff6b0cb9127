import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import type { TimeLimit } from '@sallyport/kit/async'
import { BadReply } from '../wire/read.js'

export interface HttpRequest {
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Time limits in seconds, and the error for exceeding them. */
export interface ReplyTimeouts {
  readonly firstByte: number
  readonly idle: number
  readonly timeoutError: (what: 'firstByte' | 'idle', seconds: number) => Error
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Seconds that a finished body may take to reach its end, so that the connection can be used again. */
const drainTime = 1
/** The maximum number of bytes that are read for that. */
const maxDrainedBytes = 64 * 1024

/** A response whose first bytes have arrived. */
export class Reply {
  #idle: number

  constructor(
    readonly status: number,
    readonly headers: Headers,
    private readonly body: Dispatcher.ResponseData['body'],
    private readonly queue: ByteQueue,
    private readonly first: Uint8Array | undefined,
    private readonly limit: TimeLimit,
    private readonly timeouts: ReplyTimeouts,
  ) {
    this.#idle = timeouts.idle
  }

  header(name: string): string | undefined {
    const value = this.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /**
   * Bytes of the body, in order.
   * @throws BadReply for more than `limit` bytes; the reason of the limit's signal; connection errors
   */
  async *bytes(limit: number): AsyncGenerator<Uint8Array> {
    let size = 0
    for (let chunk = this.first; chunk; chunk = await this.#next()) {
      size += chunk.length
      if (size > limit) throw new BadReply('its response is over the limit')
      yield chunk
    }
  }

  async text(limit: number): Promise<string> {
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of this.bytes(limit)) text += decoder.decode(chunk, { stream: true })
    return text + decoder.decode()
  }

  /** Shortens the time to wait for further bytes, because the response is complete. */
  expectEnd(): void {
    this.#idle = Math.min(this.#idle, drainTime)
  }

  /** Closes the connection, unless the body has been read to its end. */
  destroy(): void {
    this.body.destroy()
  }

  /** Reads a finished body to its end in the background, so that the connection can be used again. */
  drain(): void {
    const timer = setTimeout(() => this.body.destroy(), drainTime * 1000)
    const rest = async () => {
      let size = 0
      for (let chunk = await this.queue.next(); chunk; chunk = await this.queue.next()) {
        size += chunk.length
        if (size > maxDrainedBytes) this.body.destroy()
      }
    }
    rest()
      .catch(() => undefined)
      .finally(() => clearTimeout(timer))
  }

  #next(): Promise<Uint8Array | undefined> {
    const seconds = this.#idle
    return this.limit.within(this.queue.next(), seconds * 1000, () => this.timeouts.timeoutError('idle', seconds))
  }
}

/**
 * Sends a request and waits for the first bytes of the body. Redirects are not followed, and nothing is
 * decompressed.
 * @throws the reason of the limit's signal; connection errors
 */
export const exchange = (
  dispatcher: Dispatcher,
  { url, ...request }: HttpRequest,
  limit: TimeLimit,
  timeouts: ReplyTimeouts,
): Promise<Reply> => {
  const open = async () => {
    const { statusCode, headers, body } = await dispatcher.request({
      ...request,
      origin: url.origin,
      path: url.pathname + url.search,
      signal: limit.signal,
    })
    const queue = new ByteQueue(body)
    return new Reply(statusCode, headers, body, queue, await queue.next(), limit, timeouts)
  }
  const { firstByte, timeoutError } = timeouts
  return limit.within(open(), firstByte * 1000, () => timeoutError('firstByte', firstByte))
}

/** The maximum number of waiting bytes before the source is paused. */
const maxWaiting = 256 * 1024

/**
 * Queues the bytes of a body. Unlike the iterator of a `Readable`, it first delivers the bytes that came before an
 * error, and then the error.
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

  /**
   * Returns the bytes that have arrived, or else waits for the next; undefined at the end. Only one reader is allowed.
   */
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
