import { setImmediate } from 'node:timers/promises'
import { failure } from '@sallyport/core'
import type { Call, ExtractionResult, Logger } from '@sallyport/core'
import type { PpOcrModels } from '../ocr/pp-ocr/pp-ocr-engine.js'
import type { DocumentsOptions } from '../options.js'
import { answerOf } from './protocol.js'
import type { FromParser, ModelQuestion, ParseJob } from './protocol.js'
import type { Ended, ParserProcess } from './parser-process.js'

/** Max time until a process begins with the document, including its start. */
const startMs = 60_000
/** Processes that use a larger share of their memory limit are replaced after the document. */
const maxReusableShare = 0.5

export interface JobOptions extends Pick<DocumentsOptions, 'memory' | 'seconds'> {
  /** Id of the model. */
  readonly model: string
  /** Models of PP-OCR; without them, Tesseract reads images. */
  readonly models?: PpOcrModels | undefined
}

/** Has a process read one document. The process is ended after any failure that is not the document's fault. */
export class Job {
  private settle: { resolve: (result: ExtractionResult) => void; reject: (error: Error) => void } | undefined
  private timer: NodeJS.Timeout | undefined
  private remainingMs = startMs
  private resumedAt = 0
  private isReading = false

  constructor(
    private readonly parser: ParserProcess,
    private readonly options: JobOptions,
    private readonly logger: Logger,
    private readonly call: Call,
  ) {}

  async run(job: ParseJob): Promise<ExtractionResult> {
    const { signal } = this.call
    const abort = () => this.giveUp(signal.reason as Error)
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.settle = { resolve, reject }
        if (signal.aborted) {
          abort()
          return
        }
        this.resume()
        this.parser.listen((message) => this.receive(message))
        this.parser.send({ type: 'parse', ...job })
      })
    } finally {
      this.settle = undefined
      signal.removeEventListener('abort', abort)
      this.pause()
      this.parser.listen(undefined)
    }
  }

  private receive(message: FromParser | Ended): void {
    const { requestId } = this.call
    switch (message.type) {
      case 'begun':
        this.pause()
        this.isReading = true
        this.remainingMs = this.options.seconds * 1000
        this.resume()
        break
      case 'ocr':
        if (message.running) this.pause()
        else this.resume()
        break
      case 'ask':
        void this.answer(message.question)
        break
      case 'done':
        this.retireLarge(message.memory)
        this.settle?.resolve(message.result)
        break
      case 'refused':
        if (message.cause) this.logger.info({ requestId, cause: message.cause }, 'a document was refused')
        this.retireLarge(message.memory)
        this.refuse(message.problem)
        break
      case 'failed':
        this.logger.error({ requestId, cause: message.cause }, 'a document could not be read')
        this.giveUp(failure('internal', { requestId }))
        break
      case 'ended':
        this.ended(message)
    }
  }

  private ended({ why, output }: Ended): void {
    const { requestId } = this.call
    this.logger.warn({ requestId, why, lastOutput: output }, 'the process that read a document ended')
    if (why === 'stopped') this.giveUp(this.unavailable('it is being stopped'))
    else if (!this.isReading) this.giveUp(this.unavailable('its process ended before it read the document'))
    else if (why === 'memory')
      this.refuse(
        `reading it takes more memory than the ${this.options.memory} MB that it may: split it, or make its images smaller`,
      )
    else this.refuse('it could not be read: the file is damaged, or made to do damage')
  }

  private async answer(question: ModelQuestion): Promise<void> {
    const { models } = this.options
    try {
      if (!models) throw new TypeError('a process asks for models that do not exist')
      // tensors have tens of megabytes, so receiving and sending them get turns of the event loop of their own
      await setImmediate()
      const value = await answerOf(models, question, this.call)
      await setImmediate()
      if (this.settle) this.parser.send({ type: 'answer', value })
    } catch (error) {
      this.giveUp(error instanceof Error ? error : failure('internal', {}, { cause: error }))
    }
  }

  private resume(): void {
    this.resumedAt = performance.now()
    this.timer = setTimeout(() => {
      void this.parser.end()
      if (this.isReading)
        this.refuse(`reading it takes longer than the ${this.options.seconds} s that it may: split it`)
      else this.giveUp(this.unavailable('its process did not begin to read the document'))
    }, this.remainingMs)
  }

  private pause(): void {
    if (!this.timer) return
    clearTimeout(this.timer)
    this.timer = undefined
    this.remainingMs = Math.max(0, this.remainingMs - (performance.now() - this.resumedAt))
  }

  private refuse(problem: string): void {
    this.settle?.reject(failure('unsupported_media', { problem }))
  }

  private giveUp(error: Error): void {
    void this.parser.end()
    this.settle?.reject(error)
  }

  private unavailable(problem: string): Error {
    return failure('model_unavailable', { model: this.options.model, problem })
  }

  private retireLarge(memory: number): void {
    if (memory > this.options.memory * 2 ** 20 * maxReusableShare) void this.parser.end()
  }
}
