import type { FileSource } from './catalogue-source.js'
import type { Digest } from './digest.js'

/** A file of a model: what it is, and where it can be had. */
export interface PlannedFile {
  /** The name under which a backend finds it; `model` is the weights. */
  readonly role: string
  /** Its own name. */
  readonly name: string
  /** Bytes, where known. */
  readonly size: number | undefined
  readonly digest: Digest
  readonly sources: readonly FileSource[]
}
