import type { Zip } from '../container/zip.js'
import type { ElementCount } from '../elements.js'
import type { DocumentTree } from '../model/blocks.js'
import type { Limits } from '../limits.js'
import type { OcrLine, Raster } from '../ocr/engine.js'

/** A document to read. */
export interface Source {
  readonly bytes: Uint8Array
  readonly limits: Limits
  /** Of the document that was sent, and of all that is attached to it. */
  readonly elements: ElementCount
  /** Keep pictures as data URIs. */
  readonly embedImages: boolean
  /** Reads pictures of text; absent where it was not asked for. */
  readonly ocr?: (picture: Raster) => Promise<readonly OcrLine[]>
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

/** Of a document that is a container. */
export type PackedReader = (source: Source, zip: Zip) => DocumentTree | Promise<DocumentTree>
