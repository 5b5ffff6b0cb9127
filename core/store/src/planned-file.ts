/** What a file of a model is, and where it can be had. */

import type { Digest } from './digests.js'

/** A file of this machine that is used where it is. */
export interface PathSource {
  readonly kind: 'path'
  /** Absolute. */
  readonly path: string
}

/** A file inside a package of a registry. */
export interface PackageSource {
  readonly kind: 'npm' | 'pypi'
  /** In the registry's own notation: `name@version` or `name==version`. */
  readonly package: string
  readonly member: string
}

/** A file cut into parts that lie in several packages. */
export interface PartsSource {
  readonly kind: 'parts'
  readonly parts: readonly PackageSource[]
}

export interface HubSource {
  readonly kind: 'hub'
  readonly repository: string
  readonly commit: string
  readonly member: string
}

export type FileSource = PathSource | PackageSource | PartsSource | HubSource

export interface PlannedFile {
  /** The name under which a backend finds it; `model` is the weights. */
  readonly role: string
  /** Its own name. */
  readonly name: string
  /** Bytes, where known. */
  readonly size: number | undefined
  readonly digest: Digest
  /** In the order in which they are tried. */
  readonly sources: readonly FileSource[]
}
