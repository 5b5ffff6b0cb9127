/** Answers that are read as they come. */

import { ReadableStream } from 'node:stream/web'
import type { Dispatcher } from 'undici'
import { abortWith } from '@sallyport/kit/async'
import { OutboundError } from './error.js'
import { announcedLength, refuseEncoded } from './head.js'
import type { ByteBound } from './byte-bound.js'

/** How long an answer may take. */
export interface OutboundTimes {
  /** Ends the exchange at any time, while its answer is read, too; its reason is what is thrown. */
  readonly signal: AbortSignal
  /** For everything together: name, connection, redirects and body. */
  readonly seconds?: number
  /** For name, connection, redirects and the head of the answer; absent: until the signal is aborted. */
  readonly headSeconds?: number
  /** For the body behind it; absent: as long as it comes. */
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
  /** With names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Fails with an OutboundError, or the reason of the caller's signal. */
  readonly body: ReadableStream<Uint8Array>
}

/** The time from the name to the last byte of a body. */
export class Span {
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
  span: Span,
): OutboundAnswer => {
  refuseEncoded(headers)
  span.toBody()
  const named = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
  const bound = boundOf(named['content-type'])
  bound.announced(announcedLength(headers['content-length']))
  return { status: statusCode, headers: named, body: streamed(body, bound, span) }
}

const streamed = (body: AsyncIterable<unknown>, bound: ByteBound, span: Span): ReadableStream<Uint8Array> => {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await chunks.next()
        if (done) {
          span.end()
          controller.close()
          return
        }
        bound.take(value)
        controller.enqueue(value)
      } catch (error) {
        const reason = span.reasonFor(error)
        span.end()
        controller.error(reason)
      }
    },
    cancel: () => span.end(),
  })
}
