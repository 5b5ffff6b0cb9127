import type { Logger } from '@sallyport/core'
import type { ModelFiles } from './models/model-files.js'

/** What the surroundings of a kernel give it. */
export interface KernelEnvironment {
  /** Where relative paths of a configuration from code start; the working directory when absent. */
  readonly baseDirectory?: string
  /** Where absent, warnings and errors go to standard error; `silentLogger` is for who wants none. */
  readonly logger?: Logger
  /** Hears what a person at the terminal should see once. */
  readonly announce?: (lines: string) => void
  /** Shows downloads. */
  readonly progress?: boolean
  /** Gives the start up; what was started is stopped. */
  readonly signal?: AbortSignal
  /** Whether the plugins' services (an HTTP server) are made; true when absent. */
  readonly services?: boolean
  /** Where files of models come from; the model store when absent. */
  readonly files?: ModelFiles
}
