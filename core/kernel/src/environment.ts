import type { Logger } from '@sallyport/core'
import type { ModelFileSource } from './models/model-files.js'

/** Options of a kernel that a configuration cannot hold. */
export interface KernelEnvironment {
  /** The directory that relative paths of a configuration from code start from; the working directory when absent. */
  readonly baseDirectory?: string
  /** When absent, warnings and errors go to standard error; `silentLogger` suppresses these, too. */
  readonly logger?: Logger
  /** Shows lines to the person at the terminal, such as the address of the server. */
  readonly announce?: (lines: string) => void
  /** Whether the progress of downloads is shown. */
  readonly progress?: boolean
  /** Aborts the start; what was started is stopped. */
  readonly signal?: AbortSignal
  /** Whether the plugins' services (an HTTP server) are made; true when absent. */
  readonly services?: boolean
  /**
   * The directory of state: of the scores of checks in shadow mode, for `sallyport guard scores`, and of what models that
   * load on demand turned out to be. Nothing is kept when absent.
   */
  readonly home?: string
  /** The source of models' files; the model store when absent. */
  readonly fileSource?: ModelFileSource
}
