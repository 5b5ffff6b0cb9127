import type { ServerResponse } from 'node:http'
import { PacedWriter } from './writer.js'

export interface EventStream {
  readonly events: AsyncIterable<object>
  /** Called when the first event is there, just before anything is sent. */
  readonly headers: () => Record<string, string>
  /** What the client hears of a failure after the first byte. */
  readonly describe: (error: unknown) => object
  /** Seconds between comment lines; none when absent. */
  readonly comment?: number
  /** Seconds that the client may take nothing. */
  readonly patience: number
}

const line = (event: object) => `data: ${JSON.stringify(event)}\n\n`

/**
 * Sends server-sent events. What goes wrong before the first event is thrown, nothing having been sent; what goes wrong
 * later becomes the last event, and is thrown too, for the log.
 */
export const sendEvents = async (response: ServerResponse, stream: EventStream): Promise<void> => {
  const iterator = stream.events[Symbol.asyncIterator]()
  const first = await iterator.next()
  response.writeHead(200, { ...stream.headers(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
  const writer = new PacedWriter(response, stream.patience)
  const comments = stream.comment === undefined ? undefined : keepAlive(response, stream.comment)
  try {
    for (let next = first; !next.done; next = await iterator.next()) await writer.write(line(next.value))
    await writer.write('data: [DONE]\n\n')
    clearInterval(comments)
    await writer.end()
  } catch (error) {
    clearInterval(comments)
    // Not awaited: the source may be waiting for a signal of its own.
    void Promise.resolve(iterator.return?.()).catch(() => undefined)
    if (!response.destroyed) response.end(line(stream.describe(error)))
    throw error
  }
}

const keepAlive = (response: ServerResponse, seconds: number): NodeJS.Timeout =>
  setInterval(() => {
    if (!response.writableNeedDrain && !response.destroyed) response.write(': keep-alive\n\n')
  }, seconds * 1000)
