import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { failure, loggable } from '@sallyport/core'

/** Writes an answer at the client's pace, and disconnects a client that reads nothing for too long. */
export class PacedWriter {
  /**
   * @param slowReaderTimeout seconds after which a client that reads nothing is disconnected
   * @param signal once it is aborted, writes no longer wait for the client
   */
  constructor(
    private readonly response: ServerResponse,
    private readonly slowReaderTimeout: number,
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
    const { response, slowReaderTimeout } = this
    response.end(text)
    const timer = setTimeout(() => response.destroy(), slowReaderTimeout * 1000).unref()
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
        const cause = loggable(new Error(`nothing was read for ${this.slowReaderTimeout} s`))
        settle(failure('client_closed', {}, { cause }))
        response.destroy()
      }, this.slowReaderTimeout * 1000)
      response.once(event, done).once('close', closed)
      this.signal?.addEventListener('abort', aborted)
    })
  }
}

const sliceSize = 64 * 1024

/**
 * Sends an answer. A large one goes in slices, at the client's pace and with turns for other requests in between.
 * @param slowReaderTimeout seconds after which a client that reads nothing is disconnected
 * @param beforeEnd what the last bytes wait for
 * @throws client_closed, what `beforeEnd` throws
 */
export const sendChunks = async (
  response: ServerResponse,
  type: string,
  chunks: Iterable<string>,
  slowReaderTimeout: number,
  beforeEnd?: () => Promise<void>,
): Promise<void> => {
  const writer = new PacedWriter(response, slowReaderTimeout)
  response.setHeader('content-type', type)
  response.statusCode = 200
  let slice = ''
  let isSliced = false
  for (const chunk of chunks) {
    slice += chunk
    if (slice.length < sliceSize) continue
    isSliced = true
    await writer.write(slice)
    slice = ''
    await nextTurn()
  }
  await beforeEnd?.()
  if (!isSliced) response.setHeader('content-length', Buffer.byteLength(slice))
  await writer.end(slice)
}
