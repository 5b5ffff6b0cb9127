import type { Tensor } from 'onnxruntime-node'
import { floatsOf } from '../session.js'
import type { Session, Tensors } from '../session.js'
import type { Step } from '../step-gate.js'
import type { NetworkShape } from '../weights/index.js'
import type { Attention } from './alignment.js'

/** What the decoder remembers of the tokens so far: keys and values of each layer. It is never changed. */
export type State = Tensors

/** The decoder, listening to one window of sound. */
export class Decoder {
  /** The state before the first token. */
  readonly nothing: State

  /** @param heard the encoder's outputs */
  constructor(
    private readonly session: Session,
    shape: NetworkShape,
    private readonly step: Step,
    private readonly heard: Tensors,
  ) {
    const { heads, layers } = shape.decoder
    const empty = session.floats(new Float32Array(0), 1, heads, 0, shape.width / heads)
    const names = Array.from({ length: layers }, (_, layer) => [`past.${layer}.key`, `past.${layer}.value`]).flat()
    this.nothing = Object.fromEntries(names.map((name) => [name, empty]))
  }

  /** @param read places among the tokens: the logits of what comes after each of these */
  async next(
    state: State,
    tokens: readonly number[],
    read: readonly number[],
  ): Promise<{ state: State; logits: Float32Array[] }> {
    const pasts = Object.keys(state)
    const outputs = await this.run(state, tokens, read, ['logits', ...pasts.map(presentOf)])
    const logits = floatsOf(outputs['logits'])
    const size = logits.length / read.length
    return {
      state: Object.fromEntries(pasts.map((past) => [past, outputs[presentOf(past)] as Tensor])),
      logits: read.map((_, index) => logits.subarray(index * size, (index + 1) * size)),
    }
  }

  /** What each of the tokens attends to, from the first one on. */
  async attention(tokens: readonly number[]): Promise<Attention> {
    const { alignment } = await this.run(this.nothing, tokens, [0], ['alignment'])
    const [, heads = 0, , places = 0] = alignment?.dims ?? []
    return { data: floatsOf(alignment), heads, tokens: tokens.length, places }
  }

  private run(state: State, tokens: readonly number[], read: readonly number[], outputs: readonly string[]) {
    const { session } = this
    const inputs = { tokens: session.integers(tokens, 1, tokens.length), read: session.integers(read, read.length) }
    return this.step(() => session.run({ ...inputs, ...state, ...this.heard }, outputs))
  }
}

const presentOf = (past: string) => past.replace('past', 'present')
