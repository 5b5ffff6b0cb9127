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
  /** Maximum length of a chunk in Unicode code points. Not used for `json`, which cannot be split. */
  chunkSize?: number
}

/**
 * A part of the contents. What the document says is in `text` and `attribute`, which are checked; the format is in
 * `markup`, so that the same text is checked in every format, and none of what is replaced can break one.
 */
export interface ExtractedPart {
  /** What the format writes before the text: tags, keys, brackets. Nothing of the document. */
  markup?: string
  /**
   * The texts of all parts joined are what the document says, not escaped for `html` and `json`. `\r\n` at the end
   * only separates it from what follows, as two cells, and is not written.
   */
  text: string
  /** What is not read as part of the text, after it: the target of a link, the label of a note. Escaped like `text`. */
  attribute?: string
  /** Whether it belongs to the chunk, and to the page and headings, of the part before it. */
  continues?: boolean
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
   * The contents in the requested format: see {@link contentsOf}. With `chunkSize`, a chunk begins with each part that
   * does not continue another; chunks are split by structure, and white space at the end of one does not count.
   * Otherwise the split is arbitrary.
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
        parts: list({
          'markup?': opaque('what the format writes around the text'),
          text: 'delta',
          'attribute?': 'line',
          'continues?': 'boolean',
          'page?': 'number',
          'headings?': list('number'),
        }),
        words: 'number',
      },
      located: 'parts',
    },
  },
})

const htmlEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const asHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => htmlEscapes[sign] ?? sign)
const asIs = (text: string): string => text

const escapes: Record<ExtractionRequest['format'], (text: string) => string> = {
  ...{ markdown: asIs, text: asIs, html: asHtml },
  json: (text) => JSON.stringify(text).slice(1, -1),
}

/** A part of the contents as its format writes it. */
export const contentsOf = (part: ExtractedPart, format: ExtractionRequest['format']): string => {
  const { markup = '', text, attribute = '' } = part
  const escape = escapes[format]
  return markup + escape(text.endsWith('\r\n') ? text.slice(0, -2) : text) + escape(attribute)
}
