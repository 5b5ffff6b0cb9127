import { failure } from '@sallyport/core'
import type { ServerResponse } from 'node:http'

/** Writes an answer at the client's pace, and cuts off one that takes nothing for too long. */
export class PacedWriter {
  /** @param patience seconds that the client may take nothing */
  constructor(
    private readonly response: ServerResponse,
    private readonly patience: number,
  ) {}

  /** Resolves when more may be written. @throws client_closed */
  async write(text: string): Promise<void> {
    if (this.response.destroyed) throw failure('client_closed', {})
    if (!this.response.write(text)) await this.until('drain')
  }

  /** Resolves when everything has been handed to the system. @throws client_closed */
  async end(text = ''): Promise<void> {
    if (this.response.destroyed) throw failure('client_closed', {})
    this.response.end(text)
    if (!this.response.writableFinished) await this.until('finish')
  }

  private until(event: 'drain' | 'finish'): Promise<void> {
    const { response } = this
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => {
        clearTimeout(timer)
        response.off(event, done).off('close', closed)
        if (error) reject(error)
        else resolve()
      }
      const done = () => settle()
      const closed = () => settle(failure('client_closed', {}))
      const timer = setTimeout(() => {
        settle(failure('client_closed', {}, { cause: new Error(`nothing was read for ${this.patience} s`) }))
        response.destroy()
      }, this.patience * 1000)
      response.once(event, done).once('close', closed)
    })
  }
}
