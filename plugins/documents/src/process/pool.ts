import { failure } from '@sallyport/core'
import type { Call, ExtractionResult, Logger } from '@sallyport/core'
import type { OcrLine, Raster } from '../ocr/engine.js'
import type { DocumentsOptions } from '../options.js'
import { Job } from './job.js'
import { Parser } from './parser.js'
import type { ParseJob } from './protocol.js'

/** Documents after which a process is replaced: what libraries leak stays little. */
const documentsOfOne = 200

/** Processes that read documents, one each at a time. They are started when they are needed, and stay. */
export class ParserPool {
  private readonly idle: Parser[] = []
  private readonly busy = new Set<Parser>()
  private readonly waiting: (() => void)[] = []
  private closed = false

  constructor(
    private readonly options: Pick<DocumentsOptions, 'processes' | 'queue' | 'memory' | 'seconds'>,
    private readonly logger: Logger,
  ) {}

  /** @throws unsupported_media, overloaded, internal; the signal's reason; what `ocr` throws */
  async parse(
    job: ParseJob,
    call: Call,
    ocr: (picture: Raster) => Promise<readonly OcrLine[]>,
  ): Promise<ExtractionResult> {
    await this.turn(call.signal)
    const parser = this.idle.pop() ?? new Parser(this.memory, this.logger)
    this.busy.add(parser)
    try {
      return await new Job(parser, this.options, this.logger, ocr).run(job, call)
    } finally {
      this.release(parser)
    }
  }

  /** Ends all processes; what they were reading fails. */
  async close(): Promise<void> {
    this.closed = true
    await Promise.all([...this.idle.splice(0), ...this.busy].map((parser) => parser.end()))
  }

  private get memory(): number {
    return this.options.memory * 2 ** 20
  }

  private reserved = 0

  private async turn(signal: AbortSignal): Promise<void> {
    if (this.closed) throw failure('not_ready', { state: 'draining' })
    if (this.reserved < this.options.processes) {
      this.reserved += 1
      return
    }
    if (this.waiting.length >= this.options.queue) throw failure('overloaded', {})
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(go), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.waiting.push(go)
    })
  }

  private release(parser: Parser): void {
    this.busy.delete(parser)
    parser.served += 1
    if (this.closed || parser.isGone || parser.served >= documentsOfOne) void parser.end()
    else this.idle.push(parser)
    const next = this.waiting.shift()
    if (next) next()
    else this.reserved -= 1
  }
}
