import type { Digest } from './digests.js'

/** A file of this machine that is used in place. */
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
interface PartsSource {
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
  /** The name under which a backend looks for the file; `model` is the weights. */
  readonly role: string
  /** The file name. */
  readonly name: string
  /** Bytes, where known. */
  readonly size: number | undefined
  readonly digest: Digest
  /** Tried in this order. */
  readonly sources: readonly FileSource[]
}
