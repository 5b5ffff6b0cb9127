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
import type {
  Call,
  ExtractionCapability,
  ExtractionRequest,
  ExtractionResult,
  Kernel,
  LoadedModel,
  Logger,
  MemoryEstimate,
  ModelBackend,
  ModelSpec,
} from '@sallyport/core'
import type { PpOcrModels } from './ocr/pp-ocr/pp-ocr-engine.js'
import type { DocumentsOptions, Limits } from './options.js'
import { ParserPool } from './process/pool.js'

type Spec = ModelSpec<DocumentsOptions>

/** The models of PP-OCR, where the options name them. @throws model_invalid */
export const modelsFor = ({ id, files, options }: Spec, models: Kernel): PpOcrModels | undefined => {
  const { detector, recogniser } = options
  if (detector === undefined || recogniser === undefined) return undefined
  const spec = { id, files, options: { detector, recogniser } }
  return {
    detector: otherModel(models, spec, 'detector', inference),
    recogniser: otherModel(models, spec, 'recogniser', inference),
  }
}

/** The memory of all its processes; documents and their images are held in these only. */
export const estimate = ({ options: { processes, memory } }: Spec): Promise<MemoryEstimate> =>
  Promise.resolve({ weights: 0, cache: 0, compute: processes * memory * 2 ** 20 })

/** Reads documents in separate processes, so that a crash affects one document only. */
@injectable()
export class DocumentsBackend implements ModelBackend {
  private pool: ParserPool | undefined

  constructor(
    @inject(modelSpec) private readonly spec: Spec,
    @inject(logger) private readonly logger: Logger,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    this.pool = new ParserPool({ ...options, model: id, models: modelsFor(this.spec, this.models) }, this.logger)
    return Promise.resolve({
      provides: [provide(extraction, new DocumentExtraction(this.pool, options))],
      descriptor: { description: 'Documents become markdown, text, HTML or blocks.' },
    })
  }

  async stop(): Promise<void> {
    const { pool } = this
    this.pool = undefined
    await pool?.close()
  }
}

/** Max characters of the contents: longer ones do not fit into a request, and chunking them takes gigabytes. */
const characters = 20_000_000

export class DocumentExtraction implements ExtractionCapability {
  private readonly limits: Limits

  constructor(
    private readonly pool: ParserPool,
    { unpacked, elements, pages, ocrPages, megapixels }: DocumentsOptions,
  ) {
    this.limits = { elements, pages, ocrPages, unpacked: unpacked * 2 ** 20, pixels: megapixels * 1e6, characters }
  }

  /** @throws unsupported_media, overloaded, not_ready, model_unavailable; what models of PP-OCR throw */
  async extract(request: ExtractionRequest, call: Call): Promise<ExtractionResult> {
    call.signal.throwIfAborted()
    return this.pool.parse({ request, limits: this.limits }, call)
  }
}
