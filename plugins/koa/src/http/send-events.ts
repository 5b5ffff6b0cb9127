import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { PacedWriter } from './writer.js'

export interface EventStream {
  readonly events: AsyncIterable<object>
  /** Resolves when only the model can still refuse the request. */
  readonly inputPassed: Promise<void>
  /** Called just before anything is sent. */
  readonly headers: () => Record<string, string>
  /** What the client hears of a failure after the first byte. */
  readonly describe: (error: unknown) => object
  /**
   * Whether each event's line stands behind its name, and the last event is the end: also of a failure, which the source
   * itself tells of once it has told anything.
   */
  readonly named: boolean
  /** Seconds between comment lines; none when absent. */
  readonly comment?: number
  /** Seconds that the client may take nothing. */
  readonly patience: number
  /** Ends the events, and the waiting for the client. */
  readonly signal?: AbortSignal
}

const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`

/** As OpenAI's responses are streamed. */
const namedLine = (event: object) =>
  'type' in event && typeof event.type === 'string' ? `event: ${event.type}\n${line(event)}` : line(event)

/** Milliseconds in which a model that is going to refuse a request does so, while it can still be a status. */
const refusalTime = 1000

/**
 * Sends server-sent events. Headers go out with the first event, or a moment after the input checks have passed: what
 * goes wrong before is thrown, nothing having been sent; what goes wrong later becomes the last event, and is thrown
 * too, for the log.
 */
export const sendEvents = async (response: ServerResponse, stream: EventStream): Promise<void> => {
  const iterator = stream.events[Symbol.asyncIterator]()
  const beginning = iterator.next()
  await Promise.race([beginning, stream.inputPassed.then(() => sleep(refusalTime, undefined, { ref: false }))])
  response.writeHead(200, { ...stream.headers(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  response.flushHeaders()
  const writer = new PacedWriter(response, stream.patience, stream.signal)
  const written = stream.named ? namedLine : line
  const comments = stream.comment === undefined ? undefined : keepAlive(response, stream.comment)
  let begun = false
  try {
    for (let next = await beginning; !next.done; next = await iterator.next()) {
      begun = true
      await writer.write(written(next.value))
    }
    if (!stream.named) await writer.write('data: [DONE]\n\n')
    clearInterval(comments)
    await writer.end()
  } catch (error) {
    clearInterval(comments)
    // Not awaited: the source may be waiting for a signal of its own.
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
    const isTold = stream.named && begun
    if (!response.destroyed) writer.leave(isTold ? undefined : line(stream.describe(error)))
    throw error
  }
}

const keepAlive = (response: ServerResponse, seconds: number): NodeJS.Timeout =>
  setInterval(() => {
    if (!response.writableNeedDrain && !response.destroyed) response.write(': keep-alive\n\n')
  }, seconds * 1000)
