/** What a section of the benchmark gets to work with. */

import type { Figure } from '../figures.js'
import type { BenchOptions } from '../options.js'
import type { BenchModel, Contender } from '../servers/contender.js'

export interface Bench {
  readonly options: BenchOptions
  readonly models: readonly BenchModel[]
  /** Sallyport and, where there is one, llama-server. */
  readonly contenders: readonly Contender[]
  /** Tells the person who waits. */
  readonly say: (line: string) => void
}

export type Section = (bench: Bench) => Promise<Figure[]>
