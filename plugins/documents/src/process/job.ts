import { failure, isSallyportError } from '@sallyport/core'
import type { Call, ExtractionResult, Logger } from '@sallyport/core'
import type { OcrLine, Raster } from '../ocr/engine.js'
import type { DocumentsOptions } from '../options.js'
import type { Ended, Parser } from './parser.js'
import type { FromParser, ParseJob } from './protocol.js'

/** Share of the memory that a process may take with which it is still given another document. */
const reusable = 0.5

/** One document, read by a process: which is ended where that fails in any other way than by the document's fault. */
export class Job {
  private settle: { resolve: (result: ExtractionResult) => void; reject: (error: Error) => void } | undefined
  private timer: NodeJS.Timeout | undefined
  private left: number
  private since = 0

  constructor(
    private readonly parser: Parser,
    private readonly limits: Pick<DocumentsOptions, 'memory' | 'seconds'>,
    private readonly logger: Logger,
    private readonly ocr: (picture: Raster) => Promise<readonly OcrLine[]>,
  ) {
    this.left = limits.seconds * 1000
  }

  async run(job: ParseJob, { signal, requestId }: Call): Promise<ExtractionResult> {
    const abort = () => this.giveUp(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.settle = { resolve, reject }
        if (signal.aborted) {
          abort()
          return
        }
        this.parser.listen((message) => this.receive(message, requestId))
        this.resume()
        this.parser.send({ type: 'parse', ...job })
      })
    } finally {
      signal.removeEventListener('abort', abort)
      this.pause()
      this.parser.listen(undefined)
    }
  }

  private receive(message: FromParser | Ended, requestId: string): void {
    switch (message.type) {
      case 'ready':
        return
      case 'picture':
        this.pause()
        return void this.answer(message.picture)
      case 'done':
        this.retireLarge(message.memory)
        return this.settle?.resolve(message.result)
      case 'refused':
        if (message.cause) this.logger.info({ requestId, cause: message.cause }, 'a document was refused')
        this.retireLarge(message.memory)
        {
          this.fail(message.problem)
          return
        }
      case 'failed':
        this.logger.error({ requestId, cause: message.cause }, 'a document could not be read')
        {
          this.giveUp(failure('internal', { requestId }))
          return
        }
      case 'ended':
        this.logger.warn({ requestId, output: message.output }, 'the process that read a document ended')
        {
          this.fail(
            message.memory
              ? `reading it takes more memory than the ${this.limits.memory} MB that it may: split it, or make its pictures smaller`
              : 'it could not be read: the file is damaged, or made to do damage',
          )
          return
        }
    }
  }

  private async answer(picture: Raster): Promise<void> {
    try {
      const lines = await this.ocr(picture)
      this.resume()
      this.parser.send({ type: 'lines', lines })
    } catch (error) {
      this.giveUp(isSallyportError(error) || error instanceof Error ? error : failure('internal', {}, { cause: error }))
    }
  }

  private resume(): void {
    this.since = performance.now()
    this.timer = setTimeout(() => {
      void this.parser.end()
      this.fail(`reading it takes longer than the ${this.limits.seconds} s that it may: split it`)
    }, this.left)
  }

  private pause(): void {
    if (!this.timer) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.left = Math.max(0, this.left - (performance.now() - this.since))
  }

  private fail(problem: string): void {
    this.settle?.reject(failure('unsupported_media', { problem }))
  }

  private giveUp(error: Error): void {
    void this.parser.end()
    this.settle?.reject(error)
  }

  private retireLarge(memory: number): void {
    if (memory > this.limits.memory * 2 ** 20 * reusable) void this.parser.end()
  }
}
