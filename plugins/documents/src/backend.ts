import { extraction, inject, injectable, logger, modelSpec, provide } from '@sallyport/core'
import type { LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { DocumentExtraction } from './extraction.js'
import type { OcrEngine } from './ocr/engine.js'
import type { DocumentsOptions } from './options.js'
import { ParserPool } from './process/pool.js'

/** Reads documents in processes of its own: one that ends, or is ended, takes no other document with it. */
@injectable()
export class DocumentsBackend implements ModelBackend {
  private pool: ParserPool | undefined
  private engine: OcrEngine | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<DocumentsOptions>,
    @inject(logger) private readonly logger: Logger,
  ) {}

  load(): Promise<LoadedModel> {
    this.pool = new ParserPool(this.spec.options, this.logger)
    const service = new DocumentExtraction(this.pool, this.spec.options, this.engine)
    return Promise.resolve({
      provides: [provide(extraction, service)],
      descriptor: { description: 'Documents become markdown, text, HTML or blocks.' },
    })
  }

  async stop(): Promise<void> {
    const { pool, engine } = this
    this.pool = this.engine = undefined
    await pool?.close()
    await engine?.close()
  }
}
