import type { Zip } from '../container/zip.js'
import type { ElementCount } from '../elements.js'
import type { DocumentTree } from '../model/blocks.js'
import type { Limits } from '../options.js'
import type { OcrLine, Raster } from '../raster.js'

/** A document to read. */
export interface Source {
  readonly bytes: Uint8Array
  readonly limits: Limits
  /** Counts the elements of the document that was sent, and of all that is attached to it. */
  readonly elements: ElementCount
  /** Keep images as data URIs. */
  readonly embedImages: boolean
  /** Reads images of text; absent where it was not asked for. */
  readonly ocr?: (image: Raster) => Promise<readonly OcrLine[]>
}

/** A file that a document brings along. */
export interface Attachment {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What a reader makes of a document; the files that are attached to it are read by others. */
export interface ReadDocument extends DocumentTree {
  readonly attachments?: readonly Attachment[]
}

/** @throws DocumentProblem; whatever a library throws is taken for a broken file */
export type Reader = (source: Source) => ReadDocument | Promise<ReadDocument>

/** Reads a document that is a container. */
export type PackedReader = (source: Source, zip: Zip) => DocumentTree | Promise<DocumentTree>
