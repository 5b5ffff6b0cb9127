import { failure } from '@sallyport/core'
import { normalised } from '@sallyport/kit/numbers'
import { Slots } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { NativeModel } from './binding.js'
import type { NativeContext } from './native-context.js'
import { joinTokens } from './vocabulary.js'
import type { Vocabulary } from './vocabulary.js'

export interface EmbedderOptions {
  readonly model: NativeModel
  readonly vocabulary: Vocabulary
  /** The maximum number of tokens in one input, which is evaluated as a whole, including those that frame it. */
  readonly contextLength: number
  readonly threads: number
  /** The maximum number of inputs that wait. */
  readonly queue: number
}

/** Computes one vector at a time; the tenants take turns. */
export class Embedder {
  private readonly slots: Slots
  private evaluation: Promise<unknown> = Promise.resolve()

  private constructor(
    private readonly context: NativeContext,
    private readonly options: EmbedderOptions,
  ) {
    this.slots = new Slots(1, options.queue)
  }

  /** @throws insufficient_memory */
  static async create(options: EmbedderOptions): Promise<Embedder> {
    const { model, contextLength, threads } = options
    const shape = { contextLength, batch: contextLength, sequences: 1, threads, embeddings: true }
    return new Embedder(await model.createContext(shape), options)
  }

  /** The maximum number of tokens in an input, without those that frame it. */
  get limit(): number {
    const { start, end } = this.options.vocabulary.frame
    return this.options.contextLength - start.length - end.length
  }

  /**
   * The L2-normalised vector of an input.
   * @param field the input's place in the request, for messages
   * @throws overloaded, invalid_request (nothing to embed); the signal's reason when aborted
   */
  async embed(
    input: Uint32Array,
    field: string,
    requester: Requester,
  ): Promise<{ vector: Float32Array; tokens: number }> {
    const { start, end } = this.options.vocabulary.frame
    const tokens = joinTokens(start, input, end)
    if (tokens.length === 0) throw failure('invalid_request', { field, problem: 'must not be empty' })
    const vector = await this.slots.run(requester, () => this.evaluate(tokens))
    return { vector, tokens: tokens.length }
  }

  async stop(): Promise<void> {
    this.slots.close()
    await this.evaluation
    await this.context.dispose()
  }

  private evaluate(tokens: Uint32Array): Promise<Float32Array> {
    const vector = this.context.embed(tokens).then(normalised)
    this.evaluation = vector.catch(() => undefined)
    return vector
  }
}
