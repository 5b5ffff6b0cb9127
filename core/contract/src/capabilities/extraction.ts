import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { list, oneOf } from './shape.js'

export interface ExtractionRequest {
  /** Path of a temporary file that belongs to the request; the format is detected from the content. */
  file: string
  /** The last path part of the name that the client gave; used as the title when the document has none. */
  fileName: string
  format: 'markdown' | 'text' | 'html' | 'json'
  /** Keep images as data URIs. */
  embedImages?: boolean
  /** Recognise text on scanned pages and in images. */
  ocr?: boolean
  /** Maximum length of a part in Unicode code points. Not used for `json`, which cannot be split. */
  chunkSize?: number
}

/** A part of the contents, which are the texts of all parts joined. White space between two parts is at the end of the first. */
export interface ExtractedPart {
  text: string
  /** From 1, where the format has pages. */
  page?: number
  /** The headings above it, outermost first, as positions in the result's `headings`. */
  headings?: number[]
}

export interface ExtractionResult {
  title: string
  /** The headings of the document, in its order. */
  headings: string[]
  /**
   * The contents in the requested format. With `chunkSize`, they are split by structure, and white space at the end of
   * a part does not count; otherwise the split is arbitrary.
   */
  parts: ExtractedPart[]
  /** Number of words of the contents. */
  words: number
}

/** Extracts text from documents. */
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
        title: 'line',
        headings: list('line'),
        parts: list({ text: 'delta', 'page?': 'number', 'headings?': list('number') }),
        words: 'number',
      },
      located: 'parts',
    },
  },
})
