import type { Zip } from '../container/zip.js'
import type { ElementBudget } from '../element-budget.js'
import type { DocumentTree } from '../model/blocks.js'
import type { Limits } from '../options.js'
import type { OcrLine, Raster } from '../raster.js'

/** A document to read. */
export interface Source {
  readonly bytes: Uint8Array
  readonly limits: Limits
  /** Counts the elements of the document that was sent, and of all that is attached to it. */
  readonly elements: ElementBudget
  /** Whether to keep images as data URIs. */
  readonly embedImages: boolean
  /** Reads the text of images; absent where OCR was not requested. */
  readonly ocr?: (image: Raster) => Promise<readonly OcrLine[]>
}

/** A file that is attached to a document. */
export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The result of a reader, with attachments that are still to be read. */
export interface ReadDocument extends DocumentTree {
  readonly attachments?: readonly Attachment[]
}

/** Reads a document. @throws DocumentProblem; other errors count as a damaged file */
export type Reader = (source: Source) => ReadDocument | Promise<ReadDocument>

/** Reads a document that is a container. */
export type PackedReader = (source: Source, zip: Zip) => DocumentTree | Promise<DocumentTree>
