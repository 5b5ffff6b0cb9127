import type { Logger, RequiredFiles } from '@sallyport/core'
import type { Environment } from '@sallyport/kit/installation'
import type { CatalogueEntry } from './catalogue.js'
import type { Progress } from './progress.js'

export interface StoreOptions {
  /** The cache, shared between projects. Default: {@link cacheDirectory}. */
  readonly home?: string
  /** Files of catalogues beside the built-in one. */
  readonly catalogues?: readonly string[]
  /** Never use the network. Also `SALLYPORT_OFFLINE` and `HF_HUB_OFFLINE`. */
  readonly offline?: boolean
  /** Where relative paths in references start. Default: the working directory. */
  readonly baseDirectory?: string
  /** Where references to a hub are pinned. Default: `sallyport.lock` in the base directory. */
  readonly lockFile?: string
  readonly logger?: Logger
  /** `standard` is a bar at a terminal and lines elsewhere, on standard error. Default: nothing is shown. */
  readonly progress?: Progress | 'standard'
  /** Default: the process's. Proxies are always those of the process. */
  readonly environment?: Environment
  /** Milliseconds before a cut hub download is continued for the first time. Default: 500. */
  readonly retryDelay?: number
}

/** Whether the environment forbids the network, in the spellings that the hub's own clients accept. */
export const isOffline = ({ SALLYPORT_OFFLINE, HF_HUB_OFFLINE }: Environment): boolean =>
  [SALLYPORT_OFFLINE, HF_HUB_OFFLINE].some((value = '') => !/^(0|no|false|off|)$/i.test(value.trim()))

export interface ResolveOptions {
  /** What the backend needs of a repository or directory; for a catalogue entry, what it must have. */
  readonly wanted?: RequiredFiles
  /** Extensions of weights that the backend reads: others are not fetched, but used where they are on this machine. */
  readonly formats?: readonly string[]
  /** Take the newest state of a hub's branch instead of the pinned one, and pin that. */
  readonly update?: boolean
  readonly signal?: AbortSignal
  /** Called while files are fetched. @param total bytes of all that are fetched, where known */
  readonly onProgress?: (arrived: number, total: number | undefined) => void
}

export interface ResolvedModel {
  /** Local paths by role; `model` is the weights. Not to be written to. */
  readonly files: Readonly<Record<string, string>>
  /** Absent for references other than catalogue ids. */
  readonly catalogueEntry?: CatalogueEntry
}

/** `files` has the files that are on this machine. */
export interface LocatedModel extends ResolvedModel {
  readonly missing: readonly { readonly name: string; readonly size?: number }[]
}
