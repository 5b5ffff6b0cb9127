import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { list, oneOf } from './shape.js'

export interface ExtractionRequest {
  /** Path of a temporary file that belongs to the request; the content decides about the format. */
  file: string
  /** The last path part of the name that the client gave; used as the title when the document has none. */
  fileName: string
  format: 'markdown' | 'text' | 'html' | 'json'
  /** Keep pictures as data URIs. */
  embedImages?: boolean
  /** Read scanned pages and pictures. */
  ocr?: boolean
  /** Unicode code points that a part has at most. Not asked of `json`, which is whole or no JSON. */
  chunkSize?: number
}

/** What joined with the others is the contents; white space between two parts ends the former. */
export interface ExtractedPart {
  text: string
  /** From 1, where the format has pages. */
  page?: number
  /** The headings above it, outermost first: places in the list of the result. */
  headings?: number[]
}

export interface ExtractionResult {
  title: string
  /** The headings of the document, in its order. */
  headings: string[]
  /**
   * In the requested format. Chunks by structure where a size was given, which white space between them does not
   * count for; as many as is convenient otherwise.
   */
  parts: ExtractedPart[]
  /** Words of the contents. */
  words: number
}

/** Documents become text. */
export interface ExtractionCapability {
  /** @throws unsupported_media (unknown, encrypted or broken file), overloaded. */
  extract(request: ExtractionRequest, call: Call): Promise<ExtractionResult>
}

export const extraction = capability<ExtractionCapability>()('extraction', {
  guarded: true,
  methods: {
    extract: {
      kind: 'call',
      request: {
        file: opaque('a path made by the server'),
        fileName: 'text',
        format: oneOf('markdown', 'text', 'html', 'json'),
        'embedImages?': 'boolean',
        'ocr?': 'boolean',
        'chunkSize?': 'number',
      },
      result: {
        title: 'text',
        headings: list('text'),
        parts: list({ text: 'delta', 'page?': 'number', 'headings?': list('number') }),
        words: 'number',
      },
    },
  },
})
