/** A model server that takes part: ours, or llama.cpp's own. */

import type { RunningServer } from './launch.js'

export type ContenderName = 'sallyport' | 'llama-server'

export interface BenchModel {
  readonly id: string
  /** As the configuration of our server names it: an id of the catalogue, or the path. */
  readonly source: string
  /** The GGUF file. */
  readonly path: string
  readonly bytes: number
}

export interface ServerSettings {
  readonly model: BenchModel
  readonly threads: number
  /** Sequences evaluated together. */
  readonly parallel: number
  /** Tokens per sequence. */
  readonly contextLength: number
}

export interface Contender {
  readonly name: ContenderName
  start(settings: ServerSettings): Promise<RunningServer>
}
