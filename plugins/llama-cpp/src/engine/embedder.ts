import { failure, normalised } from '@sallyport/core'
import type { NativeContext, NativeModel } from './binding.js'
import { joinTokens } from './vocabulary.js'
import type { Vocabulary } from './vocabulary.js'

export interface EmbedderOptions {
  readonly model: NativeModel
  readonly vocabulary: Vocabulary
  /** Tokens of one input, those around it included; an input is always evaluated in one piece. */
  readonly contextLength: number
  readonly threads: number
  /** Most inputs that wait. */
  readonly queue: number
}

/** Texts become vectors, one after the other. */
export class Embedder {
  private turn: Promise<unknown> = Promise.resolve()
  private waiting = 0

  private constructor(
    private readonly context: NativeContext,
    private readonly options: EmbedderOptions,
  ) {}

  /** @throws insufficient_memory */
  static async create(options: EmbedderOptions): Promise<Embedder> {
    const { model, contextLength, threads } = options
    const shape = { contextLength, batch: contextLength, sequences: 1, threads, embeddings: true }
    return new Embedder(await model.createContext(shape), options)
  }

  /** Tokens that an input may have. */
  get limit(): number {
    const { start, end } = this.options.vocabulary.frame
    return this.options.contextLength - start.length - end.length
  }

  /** The L2-normalised vector of an input. @throws overloaded, invalid_request (nothing to embed); the signal's reason when aborted */
  async embed(input: Uint32Array, signal: AbortSignal): Promise<{ vector: Float32Array; tokens: number }> {
    if (this.waiting >= this.options.queue) throw failure('overloaded', {}, { retryAfter: 1 })
    const { start, end } = this.options.vocabulary.frame
    const tokens = joinTokens(start, input, end)
    if (tokens.length === 0) throw failure('invalid_request', { field: 'input', problem: 'must not be empty' })
    this.waiting += 1
    const result = this.turn.then(async () => {
      this.waiting -= 1
      signal.throwIfAborted()
      return normalised(await this.context.embed(tokens))
    })
    this.turn = result.catch(() => undefined)
    return { vector: await result, tokens: tokens.length }
  }

  async stop(): Promise<void> {
    await this.turn
    await this.context.dispose()
  }
}
