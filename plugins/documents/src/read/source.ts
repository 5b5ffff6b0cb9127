import type { Zip } from '../container/zip.js'
import type { ElementBudget } from '../element-budget.js'
import type { DocumentTree } from '../model/blocks.js'
import type { Limits } from '../options.js'
import type { Ocr } from '../raster.js'

/** A document to read. */
export interface Source {
  readonly bytes: Uint8Array
  readonly limits: Limits
  /** Counts the elements of the document that was sent, and of all that is attached to it. */
  readonly elements: ElementBudget
  /** Whether to keep images as data URIs. */
  readonly embedImages: boolean
  /** Reads the text of images, up to their limit; absent where OCR was not requested. @throws DocumentProblem */
  readonly ocr?: Ocr
}

export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The result of a reader, with attachments that are still to be read. */
export interface ReaderResult extends DocumentTree {
  readonly attachments?: readonly Attachment[]
}

/** Reads a document. @throws DocumentProblem; other errors count as a damaged file */
export type Reader = (source: Source) => ReaderResult | Promise<ReaderResult>

/** Reads a document that is a container. */
export type ContainerReader = (source: Source, zip: Zip) => DocumentTree | Promise<DocumentTree>
