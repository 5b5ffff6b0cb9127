import { failure } from '@sallyport/core'
import type { Call, ExtractionResult, Logger } from '@sallyport/core'
import { Slots } from '@sallyport/kit/async'
import type { DocumentsOptions } from '../options.js'
import { Job } from './job.js'
import type { JobOptions } from './job.js'
import { Parser } from './parser.js'
import type { ParseJob } from './protocol.js'

/** Documents after which a process is replaced: what libraries leak stays little. */
const documentsOfOne = 200
/** Processes besides, for tenants that have none: a document may take minutes. */
const reserve = 1

interface PoolOptions extends JobOptions, Pick<DocumentsOptions, 'processes' | 'queue'> {}

/** Processes that read documents, one each at a time. They are started when they are needed, and stay. */
export class ParserPool {
  private readonly slots: Slots
  private readonly idle: Parser[] = []
  private readonly busy = new Set<Parser>()
  private closed = false

  constructor(
    private readonly options: PoolOptions,
    private readonly logger: Logger,
  ) {
    this.slots = new Slots(options.processes, options.queue, { reserve })
  }

  /** @throws unsupported_media, overloaded, not_ready, model_unavailable, internal; the signal's reason; what a model throws */
  parse(job: Omit<ParseJob, 'engine'>, call: Call): Promise<ExtractionResult> {
    const engine = this.options.models ? 'pp-ocr' : 'tesseract'
    return this.slots.run(call, async () => {
      const parser = this.living()
      this.busy.add(parser)
      try {
        return await new Job(parser, this.options, this.logger, call).run({ ...job, engine })
      } finally {
        this.release(parser)
      }
    })
  }

  /** Ends all processes; what they were reading, and what waits, fails. */
  async close(): Promise<void> {
    this.closed = true
    this.slots.close()
    await Promise.all([...this.idle.splice(0), ...this.busy].map((parser) => parser.end()))
  }

  /** One may have been ended by the system while nobody looked. */
  private living(): Parser {
    for (let parser = this.idle.pop(); parser; parser = this.idle.pop()) if (!parser.isGone) return parser
    const { memory, model } = this.options
    try {
      return new Parser(memory * 2 ** 20, this.logger)
    } catch (cause) {
      throw failure('model_unavailable', { model, problem: 'its process could not be started' }, { cause })
    }
  }

  private release(parser: Parser): void {
    this.busy.delete(parser)
    parser.served += 1
    if (this.closed || parser.isGone || parser.served >= documentsOfOne) void parser.end()
    else this.idle.push(parser)
  }
}
