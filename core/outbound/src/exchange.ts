/** Answers that are read as they come. */

import { ReadableStream } from 'node:stream/web'
import type { Dispatcher } from 'undici'
import { abortWith } from '@sallyport/kit/async'
import { OutboundError } from './error.js'
import type { ByteBound } from './byte-bound.js'

/** How long an answer may take. */
export interface OutboundTimes {
  /** Ends the exchange at any time, while its answer is read, too; its reason is what is thrown. */
  readonly signal: AbortSignal
  /** Time for everything together: name, connection, redirects and body. */
  readonly seconds?: number
  /** Time for name, connection, redirects and the head of the answer; absent: until the signal is aborted. */
  readonly headSeconds?: number
  /** Time for the body behind it; absent: as long as it comes. */
  readonly bodySeconds?: number
}

export interface OutboundExchange extends OutboundTimes {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Go wherever the address leads. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers for the origin of the address, and for no other that it redirects to. */
  readonly credentials: Readonly<Record<string, string>>
  readonly body?: string
  /** Most bytes of the body, or of one event of it where it is of the type `text/event-stream`. */
  readonly bytes: number
}

export interface OutboundAnswer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Fails with an OutboundError, or the reason of the caller's signal. */
  readonly body: ReadableStream<Uint8Array>
}

/** The time from the name to the last byte of a body. */
export class ExchangeTimer {
  private readonly over = new AbortController()
  private readonly unlink: (() => void) | undefined
  private readonly ends: (() => void)[] = []
  private readonly whole: NodeJS.Timeout | undefined
  private part: NodeJS.Timeout | undefined

  constructor(private readonly times: OutboundTimes) {
    this.over.signal.addEventListener('abort', () => this.end(), { once: true })
    this.unlink = abortWith(times.signal, this.over)
    this.whole = this.limit(times.seconds, 'the answer did not end in time')
    this.part = this.limit(times.headSeconds, 'no answer in time')
  }

  get signal(): AbortSignal {
    return this.over.signal
  }

  onEnd(end: () => void): void {
    this.ends.push(end)
  }

  /** The head has come. */
  toBody(): void {
    clearTimeout(this.part)
    this.part = this.limit(this.times.bodySeconds, 'the body did not end in time')
  }

  end(): void {
    clearTimeout(this.whole)
    clearTimeout(this.part)
    this.unlink?.()
    for (const end of this.ends.splice(0)) end()
  }

  private limit(seconds: number | undefined, what: string): NodeJS.Timeout | undefined {
    if (seconds === undefined) return undefined
    return setTimeout(() => this.over.abort(new Error(what)), Math.ceil(seconds * 1000))
  }

  /** What is thrown for an error while the body is read. */
  reasonFor(error: unknown): Error {
    const { signal: caller } = this.times
    if (caller.aborted) return caller.reason as Error
    if (error instanceof OutboundError) return error
    return this.over.signal.aborted
      ? new OutboundError('slow', 'the deadline has passed', { cause: error })
      : new OutboundError('broken', 'the answer did not end', { cause: error })
  }
}

/** @throws OutboundError where more is announced than may come, or it is compressed */
export const answerTo = (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  boundOf: (type: string | undefined) => ByteBound,
  timer: ExchangeTimer,
): OutboundAnswer => {
  refuseEncoded(headers)
  timer.toBody()
  const named = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
  const bound = boundOf(named['content-type'])
  bound.announced(announcedLength(headers['content-length']))
  return { status: statusCode, headers: named, body: streamed(body, bound, timer) }
}

const streamed = (body: AsyncIterable<unknown>, bound: ByteBound, timer: ExchangeTimer): ReadableStream<Uint8Array> => {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done) {
          timer.end()
          controller.close()
          return
        }
        bound.take(value)
        controller.enqueue(value)
      } catch (error) {
        const reason = timer.reasonFor(error)
        timer.end()
        controller.error(reason)
      }
    },
    cancel: () => timer.end(),
  })
}

type Headers = Dispatcher.ResponseData['headers']

/** @throws OutboundError for a body that is compressed: what it unpacks to has no limit */
const refuseEncoded = (headers: Headers): void => {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new OutboundError('encoding', String(encoding))
}

/** Bytes of the body, where the head says that. */
export const announcedLength = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined

interface Room {
  /** Most that a body can come to. */
  readonly bytes: number
  readonly announced: number | undefined
  readonly hold: ((bytes: number) => void) | undefined
}

const firstRoom = 64 * 1024

/**
 * All bytes of a body that is bounded already, into memory that grows with what arrives and never beyond the bound,
 * whatever was announced and however small the chunks are.
 */
export const collected = async (
  body: AsyncIterable<Uint8Array>,
  { bytes, announced = firstRoom, hold }: Room,
): Promise<Buffer> => {
  let buffer = Buffer.alloc(0)
  let length = 0
  for await (const chunk of body) {
    const needed = length + chunk.length
    if (needed > buffer.length) {
      const room = Math.min(bytes, Math.max(needed, 2 * buffer.length, Math.min(announced, firstRoom)))
      hold?.(room - buffer.length)
      const larger = Buffer.allocUnsafeSlow(room)
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    buffer.set(chunk, length)
    length = needed
  }
  return buffer.subarray(0, length)
}
