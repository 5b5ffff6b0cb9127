import { failure } from '@sallyport/core'
import type { Call, ExtractionResult, Logger } from '@sallyport/core'
import { Slots } from '@sallyport/kit/async'
import type { DocumentsOptions } from '../options.js'
import { Job } from './job.js'
import type { JobOptions } from './job.js'
import { ParserProcess } from './parser-process.js'
import type { ParseJob } from './protocol.js'

/** Documents after which a process is replaced, because libraries leak memory. */
const documentsPerProcess = 200
/** Extra processes for tenants that have none, because a document may take minutes. */
const reserve = 1

interface PoolOptions extends JobOptions, Pick<DocumentsOptions, 'processes' | 'queue'> {}

/** A pool of processes that read documents, one at a time each. They are started on demand and reused. */
export class ParserPool {
  private readonly slots: Slots
  private readonly idle: ParserProcess[] = []
  private readonly busy = new Set<ParserProcess>()
  private closed = false

  constructor(
    private readonly options: PoolOptions,
    private readonly logger: Logger,
  ) {
    this.slots = new Slots(options.processes, options.queue, { reserve })
  }

  /**
   * @throws unsupported_media, overloaded, not_ready, model_unavailable, internal; the signal's reason; what a model
   *   throws
   */
  parse(job: Omit<ParseJob, 'engine'>, call: Call): Promise<ExtractionResult> {
    const engine = this.options.models ? 'pp-ocr' : 'tesseract'
    return this.slots.run(call, async () => {
      const parser = this.availableParser()
      this.busy.add(parser)
      try {
        return await new Job(parser, this.options, this.logger, call).run({ ...job, engine })
      } finally {
        this.release(parser)
      }
    })
  }

  /** Ends all processes; running and waiting documents fail. */
  async close(): Promise<void> {
    this.closed = true
    this.slots.close()
    await Promise.all([...this.idle.splice(0), ...this.busy].map((parser) => parser.end()))
  }

  /** An idle process that is still alive, or a new one. */
  private availableParser(): ParserProcess {
    for (let parser = this.idle.pop(); parser; parser = this.idle.pop()) if (!parser.isGone) return parser
    const { memory, model } = this.options
    try {
      return new ParserProcess(memory * 2 ** 20, this.logger)
    } catch (cause) {
      throw failure('model_unavailable', { model, problem: 'its process could not be started' }, { cause })
    }
  }

  private release(parser: ParserProcess): void {
    this.busy.delete(parser)
    parser.served += 1
    if (this.closed || parser.isGone || parser.served >= documentsPerProcess) void parser.end()
    else this.idle.push(parser)
  }
}
