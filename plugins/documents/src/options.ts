import type { OptionsSchema } from '@sallyport/core'

/** Options of a model, under `models.<id>.options`; {@link optionsSchema} describes them. */
export interface DocumentsOptions {
  readonly processes: number
  readonly queue: number
  readonly memory: number
  readonly seconds: number
  readonly unpacked: number
  readonly elements: number
  readonly pages: number
  readonly ocrPages: number
  readonly megapixels: number
  readonly detector?: string
  readonly recogniser?: string
}

const count = (value: number, description: string, minimum = 1) =>
  ({ type: 'integer', minimum, default: value, description }) as const

const modelId = (description: string) => ({ type: 'string', minLength: 1, description }) as const

export const optionsSchema: OptionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    processes: count(2, 'Documents that are read at once, each in a process of its own.'),
    queue: count(100, 'Documents that may wait; more are refused as overloaded.'),
    memory: count(1024, 'Megabytes that such a process may take; a document that needs more is refused.', 256),
    seconds: count(120, 'Seconds that reading one document may take, OCR left out.'),
    unpacked: count(512, 'Megabytes that a container (docx, xlsx, epub, …) may unpack to.'),
    elements: count(1_000_000, 'Paragraphs, cells, tags and the like that a document may be made of.'),
    pages: count(5000, 'Pages of a PDF, slides of a pptx, images of a TIFF.'),
    ocrPages: count(500, 'Pages and images of a document and its attachments that may be read by OCR.'),
    megapixels: count(50, 'Million pixels that an image may have.'),
    detector: modelId('Model of PP-OCR that finds lines; without it, Tesseract reads.'),
    recogniser: modelId('Model of PP-OCR that reads lines.'),
  },
  dependentRequired: { detector: ['recogniser'], recogniser: ['detector'] },
}

/** Limits of one document. */
export interface Limits {
  /** Bytes that a container (docx, epub, …) may unpack to. */
  readonly unpacked: number
  /** Pages of a PDF, slides of a pptx, images of a TIFF. */
  readonly pages: number
  /** Pages and images that are read by OCR. */
  readonly ocrPages: number
  /** Pixels of one image. */
  readonly pixels: number
  /** Paragraphs, cells, tags and values. */
  readonly elements: number
  /** Characters of the contents. */
  readonly characters: number
}
