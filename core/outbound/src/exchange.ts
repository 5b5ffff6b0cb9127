/** Answers that are read while they arrive, and the time limits of an exchange. */

import { ReadableStream } from 'node:stream/web'
import type { Dispatcher } from 'undici'
import { abortWith, maxTimer } from '@sallyport/kit/async'
import { OutboundError } from './error.js'
import type { ByteLimit } from './byte-limit.js'

/** The time limits of an exchange; a limit that is absent does not hold. */
export interface OutboundTimes {
  /** Ends the exchange at any time, also while the body is read; its reason is then thrown. */
  readonly signal: AbortSignal
  /** Time for the whole exchange: name, connection, redirects, head and body. */
  readonly seconds?: number
  /** Time for name, connection, redirects and the head of the answer. */
  readonly headSeconds?: number
  /** Time for the body of the answer. */
  readonly bodySeconds?: number
}

export interface OutboundExchange extends OutboundTimes {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Headers that are sent to every origin, also after redirects. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers for the origin of the address, never for another one to which it redirects. */
  readonly credentials: Readonly<Record<string, string>>
  readonly body?: string
  /** The maximum size in bytes of the body of the answer or, for `text/event-stream`, of one event. */
  readonly bytes: number
}

export interface OutboundAnswer {
  readonly status: number
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Fails with an OutboundError, or the reason of the caller's signal. */
  readonly body: ReadableStream<Uint8Array>
}

/** Enforces the time limits, from the resolution of the name to the last byte of the body. */
export class ExchangeTimer {
  private readonly controller = new AbortController()
  private readonly unlink: (() => void) | undefined
  private close: () => void = () => undefined
  private readonly totalTimer: NodeJS.Timeout | undefined
  private phaseTimer: NodeJS.Timeout | undefined

  constructor(private readonly times: OutboundTimes) {
    this.controller.signal.addEventListener('abort', () => this.end(), { once: true })
    this.unlink = abortWith(times.signal, this.controller)
    this.totalTimer = this.limit(times.seconds, 'the answer did not end in time')
    this.phaseTimer = this.limit(times.headSeconds, 'no answer in time')
  }

  get signal(): AbortSignal {
    return this.controller.signal
  }

  /** @param close is called at the end, perhaps more than once */
  onEnd(close: () => void): void {
    this.close = close
  }

  /** Starts the limit of the body, once the head has arrived. */
  startBody(): void {
    clearTimeout(this.phaseTimer)
    this.phaseTimer = this.limit(this.times.bodySeconds, 'the body did not end in time')
  }

  end(): void {
    clearTimeout(this.totalTimer)
    clearTimeout(this.phaseTimer)
    this.unlink?.()
    this.close()
  }

  private limit(seconds: number | undefined, problem: string): NodeJS.Timeout | undefined {
    if (seconds === undefined) return undefined
    const milliseconds = Math.min(Math.ceil(seconds * 1000), maxTimer)
    return setTimeout(() => this.controller.abort(new Error(problem)), milliseconds)
  }

  /** The error to throw for one that occurred while the body was read. */
  reasonFor(error: unknown): Error {
    const { signal: caller } = this.times
    if (caller.aborted) return caller.reason as Error
    if (error instanceof OutboundError) return error
    return this.controller.signal.aborted
      ? new OutboundError('slow', 'a time limit is exceeded', { cause: error })
      : new OutboundError('broken', 'the body did not end', { cause: error })
  }
}

/** @throws OutboundError where the announced body is too large, or is compressed */
export const toAnswer = (
  { statusCode, headers, body }: Dispatcher.ResponseData,
  limitOf: (type: string | undefined) => ByteLimit,
  timer: ExchangeTimer,
): OutboundAnswer => {
  // A small compressed body may expand to any size.
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw new OutboundError('encoding', 'the answer is compressed')
  timer.startBody()
  const entries = Object.entries(headers).filter(([, value]) => value !== undefined)
  const joinedHeaders = Object.fromEntries(entries.map(([name, value]) => [name, [value].flat().join(', ')]))
  const limit = limitOf(joinedHeaders['content-type'])
  limit.checkAnnounced(announcedLength(joinedHeaders['content-length']))
  return { status: statusCode, headers: joinedHeaders, body: toStream(body, limit, timer) }
}

const toStream = (body: AsyncIterable<unknown>, limit: ByteLimit, timer: ExchangeTimer): ReadableStream<Uint8Array> => {
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
        limit.count(value)
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

/** The length of the body, where the head announces it. */
export const announcedLength = (header = ''): number | undefined =>
  /^\d{1,15}$/.test(header) ? Number(header) : undefined

interface BodyBounds {
  /** The maximum size of the body, which is enforced by its {@link ByteLimit}. */
  readonly bytes: number
  readonly announced: number | undefined
  readonly hold: ((bytes: number) => void) | undefined
}

const firstAllocation = 64 * 1024

/**
 * Collects a body of limited size. The buffer grows with what arrives and never beyond the limit, whatever was
 * announced and however small the chunks are.
 */
export const collectBody = async (
  body: AsyncIterable<Uint8Array>,
  { bytes, announced = firstAllocation, hold }: BodyBounds,
): Promise<Buffer> => {
  let buffer = Buffer.alloc(0)
  let length = 0
  for await (const chunk of body) {
    const needed = length + chunk.length
    if (needed > buffer.length) {
      const room = Math.min(bytes, Math.max(needed, 2 * buffer.length, Math.min(announced, firstAllocation)))
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
