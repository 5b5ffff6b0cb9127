import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { PacedWriter } from './writer.js'

export interface EventStream {
  readonly events: AsyncIterable<object>
  /** Resolves when only the model can still refuse the request. */
  readonly inputPassed: Promise<void>
  /** Called just before anything is sent. */
  readonly headers: () => Record<string, string>
  /** The event about a failure after the first byte. */
  readonly describe: (error: unknown) => object
  /**
   * Whether events have names, as in OpenAI's responses. The last event is then the end, without `[DONE]`, and the
   * source reports failures itself once it has sent an event.
   */
  readonly named: boolean
  /** Seconds between comment lines; none when absent. */
  readonly comment?: number
  /** Seconds after which a client that reads nothing is disconnected. */
  readonly slowReaderTimeout: number
  /** Ends the stream, and the wait for a slow client. */
  readonly signal?: AbortSignal
  /** What the last bytes wait for. @param error why the stream ends early */
  readonly beforeEnd?: (error?: unknown) => Promise<void>
}

const formatUnnamed = (event: object) => `data: ${JSON.stringify(event)}\n\n`

/** Writes an event with its name, as OpenAI streams responses. */
const formatNamed = (event: object) =>
  'type' in event && typeof event.type === 'string'
    ? `event: ${event.type}\n${formatUnnamed(event)}`
    : formatUnnamed(event)

/** Milliseconds that a model has to refuse a request before the headers are sent with the status 200. */
const refusalTime = 1000

/**
 * Sends server-sent events. The headers are sent with the first event, or a moment after the input checks have passed.
 * An earlier failure is thrown before anything is sent. A later one becomes the last event, and is thrown, too, for the
 * log.
 */
export const sendEvents = async (response: ServerResponse, stream: EventStream): Promise<void> => {
  const iterator = stream.events[Symbol.asyncIterator]()
  const beginning = iterator.next()
  await Promise.race([beginning, stream.inputPassed.then(() => sleep(refusalTime, undefined, { ref: false }))])
  response.writeHead(200, { ...stream.headers(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  response.flushHeaders()
  const writer = new PacedWriter(response, stream.slowReaderTimeout, stream.signal)
  const formatEvent = stream.named ? formatNamed : formatUnnamed
  const comments = stream.comment === undefined ? undefined : keepAlive(response, stream.comment)
  let hasBegun = false
  try {
    for (let next = await beginning; !next.done; next = await iterator.next()) {
      hasBegun = true
      await writer.write(formatEvent(next.value))
    }
    await stream.beforeEnd?.()
    if (!stream.named) await writer.write('data: [DONE]\n\n')
    clearInterval(comments)
    await writer.end()
  } catch (error) {
    clearInterval(comments)
    // The return is not awaited, because the source may be waiting for a signal of its own.
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
    await stream.beforeEnd?.(error)
    const hasFailureEvent = stream.named && hasBegun
    if (!response.destroyed)
      writer.endWithoutWaiting(hasFailureEvent ? undefined : formatUnnamed(stream.describe(error)))
    throw error
  }
}

const keepAlive = (response: ServerResponse, seconds: number): NodeJS.Timeout =>
  setInterval(() => {
    if (!response.writableNeedDrain && !response.destroyed) response.write(': keep-alive\n\n')
  }, seconds * 1000)
