import type { Tensor } from 'onnxruntime-node'
import { floatsOf } from '../session.js'
import type { Session, Tensors } from '../session.js'
import type { RunStep } from '../step-scheduler.js'
import type { ModelDimensions } from '../weights/index.js'
import type { Attention } from './alignment.js'

/** Keys and values of each layer for the tokens so far. A cache is never changed, only replaced. */
export type KeyValueCache = Tensors

/** The decoder for one window of audio. */
export class Decoder {
  /** The cache before the first token. */
  readonly emptyCache: KeyValueCache

  /** @param encoded the encoder's outputs */
  constructor(
    private readonly session: Session,
    dimensions: ModelDimensions,
    private readonly runStep: RunStep,
    private readonly encoded: Tensors,
  ) {
    const { heads, layers } = dimensions.decoder
    const empty = session.floats(new Float32Array(0), 1, heads, 0, dimensions.hiddenSize / heads)
    const names = Array.from({ length: layers }, (_, layer) => [`past.${layer}.key`, `past.${layer}.value`]).flat()
    this.emptyCache = Object.fromEntries(names.map((name) => [name, empty]))
  }

  /** @param logitIndices the indices of the tokens after which logits are needed */
  async next(
    cache: KeyValueCache,
    tokens: readonly number[],
    logitIndices: readonly number[],
  ): Promise<{ cache: KeyValueCache; logits: Float32Array[] }> {
    const pasts = Object.keys(cache)
    const outputs = await this.run(cache, tokens, logitIndices, ['logits', ...pasts.map(presentOf)])
    const logits = floatsOf(outputs['logits'])
    const size = logits.length / logitIndices.length
    return {
      cache: Object.fromEntries(pasts.map((past) => [past, outputs[presentOf(past)] as Tensor])),
      logits: logitIndices.map((_, index) => logits.subarray(index * size, (index + 1) * size)),
    }
  }

  /** The cross-attention of all tokens of a sequence. */
  async attention(tokens: readonly number[]): Promise<Attention> {
    const { alignment } = await this.run(this.emptyCache, tokens, [0], ['alignment'])
    const [, heads = 0, , positions = 0] = alignment?.dims ?? []
    return { data: floatsOf(alignment), heads, tokens: tokens.length, positions }
  }

  private run(
    cache: KeyValueCache,
    tokens: readonly number[],
    logitIndices: readonly number[],
    outputs: readonly string[],
  ) {
    const { session } = this
    const inputs = {
      tokens: session.integers(tokens, 1, tokens.length),
      logitIndices: session.integers(logitIndices, logitIndices.length),
    }
    return this.runStep(() => session.run({ ...inputs, ...cache, ...this.encoded }, outputs))
  }
}

const presentOf = (past: string) => past.replace('past', 'present')
