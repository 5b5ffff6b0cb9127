import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { failure, loggable } from '@sallyport/core'

/** Writes an answer at the client's pace, and disconnects a client that reads nothing for too long. */
export class PacedWriter {
  /**
   * @param patience seconds after which a client that reads nothing is disconnected
   * @param signal once it is aborted, writes no longer wait for the client
   */
  constructor(
    private readonly response: ServerResponse,
    private readonly patience: number,
    private readonly signal?: AbortSignal,
  ) {}

  /** Resolves when more may be written. @throws client_closed */
  async write(text: string): Promise<void> {
    if (this.response.destroyed) throw failure('client_closed', {})
    if (!this.response.write(text) && !this.signal?.aborted) await this.until('drain')
  }

  /** Resolves when everything has been handed to the system. @throws client_closed */
  async end(text = ''): Promise<void> {
    if (this.response.destroyed) throw failure('client_closed', {})
    this.response.end(text)
    if (!this.response.writableFinished) await this.until('finish')
  }

  /** Ends the answer without waiting; a client that does not read the rest in time is disconnected. */
  endWithoutWaiting(text = ''): void {
    const { response, patience } = this
    response.end(text)
    const timer = setTimeout(() => response.destroy(), patience * 1000).unref()
    response.once('close', () => clearTimeout(timer))
  }

  private until(event: 'drain' | 'finish'): Promise<void> {
    const { response } = this
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => {
        clearTimeout(timer)
        response.off(event, done).off('close', closed)
        this.signal?.removeEventListener('abort', aborted)
        if (error) reject(error)
        else resolve()
      }
      const done = () => settle()
      const aborted = () => event === 'drain' && settle()
      const closed = () => settle(failure('client_closed', {}))
      const timer = setTimeout(() => {
        settle(failure('client_closed', {}, { cause: loggable(new Error(`nothing was read for ${this.patience} s`)) }))
        response.destroy()
      }, this.patience * 1000)
      response.once(event, done).once('close', closed)
      this.signal?.addEventListener('abort', aborted)
    })
  }
}

const sliceSize = 64 * 1024

/** The body of an answer. */
export interface Content {
  /** The header `Content-Type`. */
  readonly type: string
  /** The text of the body, in order. */
  readonly chunks: Iterable<string>
}

/**
 * Sends an answer. A large one goes in slices, at the client's pace and with turns for other requests in between.
 * @param patience seconds after which a client that reads nothing is disconnected
 * @throws client_closed
 */
export const sendChunks = async (
  response: ServerResponse,
  { type, chunks }: Content,
  patience: number,
): Promise<void> => {
  const writer = new PacedWriter(response, patience)
  response.setHeader('content-type', type)
  response.statusCode = 200
  let slice = ''
  let sliced = false
  for (const chunk of chunks) {
    slice += chunk
    if (slice.length < sliceSize) continue
    sliced = true
    await writer.write(slice)
    slice = ''
    await nextTurn()
  }
  if (!sliced) response.setHeader('content-length', Buffer.byteLength(slice))
  await writer.end(slice)
}
