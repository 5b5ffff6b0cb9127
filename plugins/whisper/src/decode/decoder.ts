import type { Tensor } from 'onnxruntime-node'
import { floatsOf } from '../session.js'
import type { Session, Tensors } from '../session.js'
import type { Step } from '../step-gate.js'
import type { NetworkShape } from '../weights/index.js'
import type { Attention } from './alignment.js'

/** Keys and values of each layer for the tokens so far. A cache is never changed, only replaced. */
export type DecoderCache = Tensors

/** The decoder for one window of audio. */
export class Decoder {
  /** The cache before the first token. */
  readonly emptyCache: DecoderCache

  /** @param encoded the encoder's outputs */
  constructor(
    private readonly session: Session,
    shape: NetworkShape,
    private readonly step: Step,
    private readonly encoded: Tensors,
  ) {
    const { heads, layers } = shape.decoder
    const empty = session.floats(new Float32Array(0), 1, heads, 0, shape.width / heads)
    const names = Array.from({ length: layers }, (_, layer) => [`past.${layer}.key`, `past.${layer}.value`]).flat()
    this.emptyCache = Object.fromEntries(names.map((name) => [name, empty]))
  }

  /** @param read indices of the tokens after which logits are needed */
  async next(
    state: DecoderCache,
    tokens: readonly number[],
    read: readonly number[],
  ): Promise<{ state: DecoderCache; logits: Float32Array[] }> {
    const pasts = Object.keys(state)
    const outputs = await this.run(state, tokens, read, ['logits', ...pasts.map(presentOf)])
    const logits = floatsOf(outputs['logits'])
    const size = logits.length / read.length
    return {
      state: Object.fromEntries(pasts.map((past) => [past, outputs[presentOf(past)] as Tensor])),
      logits: read.map((_, index) => logits.subarray(index * size, (index + 1) * size)),
    }
  }

  /** The cross-attention of all tokens of a sequence. */
  async attention(tokens: readonly number[]): Promise<Attention> {
    const { alignment } = await this.run(this.emptyCache, tokens, [0], ['alignment'])
    const [, heads = 0, , positions = 0] = alignment?.dims ?? []
    return { data: floatsOf(alignment), heads, tokens: tokens.length, positions }
  }

  private run(state: DecoderCache, tokens: readonly number[], read: readonly number[], outputs: readonly string[]) {
    const { session } = this
    const inputs = { tokens: session.integers(tokens, 1, tokens.length), read: session.integers(read, read.length) }
    return this.step(() => session.run({ ...inputs, ...state, ...this.encoded }, outputs))
  }
}

const presentOf = (past: string) => past.replace('past', 'present')
