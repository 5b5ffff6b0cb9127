import type { Call, ExtractionCapability, ExtractionRequest, ExtractionResult } from '@sallyport/core'
import type { Limits } from './limits.js'
import type { DocumentsOptions } from './options.js'
import type { ParserPool } from './process/pool.js'

/** Characters of the contents: more would not pass through a request, and takes chunks gigabytes. */
const mostCharacters = 20_000_000

export class DocumentExtraction implements ExtractionCapability {
  private readonly limits: Limits

  constructor(
    private readonly pool: ParserPool,
    { unpacked, elements, pages, ocrPages, megapixels }: DocumentsOptions,
  ) {
    const limits = { elements, pages, ocrPages, unpacked: unpacked * 2 ** 20, pixels: megapixels * 1e6 }
    this.limits = { ...limits, characters: mostCharacters }
  }

  /** @throws unsupported_media, overloaded, not_ready, model_unavailable; what models of PP-OCR throw */
  async extract(request: ExtractionRequest, call: Call): Promise<ExtractionResult> {
    call.signal.throwIfAborted()
    return this.pool.parse({ request, limits: this.limits }, call)
  }
}
