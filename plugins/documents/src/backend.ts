import {
  extraction,
  inference,
  inject,
  injectable,
  kernel,
  logger,
  modelSpec,
  otherModel,
  provide,
} from '@sallyport/core'
import type { Kernel, LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { DocumentExtraction } from './extraction.js'
import type { OcrEngine } from './ocr/engine.js'
import { PpOcrEngine } from './ocr/pp-ocr/pp-ocr-engine.js'
import { TesseractEngine } from './ocr/light/tesseract-engine.js'
import type { DocumentsOptions } from './options.js'
import { ParserPool } from './process/pool.js'

/** PP-OCR where the options name its models. @throws model_invalid */
export const engineFor = ({ id, files, options }: ModelSpec<DocumentsOptions>, models: Kernel): OcrEngine => {
  const { detector, recogniser } = options
  if (detector === undefined || recogniser === undefined) return new TesseractEngine()
  const spec = { id, files, options: { detector, recogniser } }
  return new PpOcrEngine({
    detector: otherModel(models, spec, 'detector', inference),
    recogniser: otherModel(models, spec, 'recogniser', inference),
  })
}

/** Reads documents in processes of its own: one that ends, or is ended, takes no other document with it. */
@injectable()
export class DocumentsBackend implements ModelBackend {
  private pool: ParserPool | undefined
  private engine: OcrEngine | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<DocumentsOptions>,
    @inject(logger) private readonly logger: Logger,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    this.pool = new ParserPool(this.spec.options, this.logger)
    this.engine = engineFor(this.spec, this.models)
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
