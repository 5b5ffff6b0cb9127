import type { FileSource, PathSource } from '../catalogue-source.js'
import type { Digest } from '../digest.js'

/** A file that is not in the cache yet. */
export interface FileToFetch {
  /** The model as the user names it, for messages. */
  readonly model: string
  readonly name: string
  /** Bytes, where known. */
  readonly size: number | undefined
  readonly digest: Digest
  readonly sources: readonly Exclude<FileSource, PathSource>[]
  /** Sources that did not have it, and why. */
  readonly tried: readonly string[]
}

/** Identifies the file among locks and unfinished downloads. */
export const fileKey = ({ digest }: FileToFetch): string => `${digest.algorithm}-${digest.hex}`
