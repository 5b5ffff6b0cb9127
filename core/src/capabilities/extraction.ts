import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'

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
  /** Also split into chunks of at most this many characters. */
  chunkSize?: number
}

export interface ExtractedChunk {
  text: string
  /** Half-open span in Unicode code points of the contents. */
  start: number
  end: number
  /** From 1, where the format has pages. */
  page?: number
  /** The headings above it, outermost first. */
  headings: string[]
}

export interface ExtractionResult {
  title: string
  /** In the requested format. */
  contents: string
  /** Words of the contents. */
  words: number
  chunks?: ExtractedChunk[]
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
      input: { file: opaque('a path made by the server'), fileName: 'text' },
      output: { title: 'text', contents: 'text', chunks: { text: 'text', headings: 'text' } },
    },
  },
})
