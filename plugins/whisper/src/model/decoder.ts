import type { Tensor } from 'onnxruntime-node'
import type { Attention } from '../decode/alignment.js'
import type { NetworkShape } from '../weights/index.js'
import type { Sessions } from './sessions.js'
import type { Step } from './step-gate.js'

/** What the decoder remembers of the tokens so far: keys and values of each layer. It is never changed. */
export type State = Readonly<Record<string, Tensor>>

/** The decoder, listening to one window of sound. */
export class Decoder {
  /** Nothing has been said. */
  readonly nothing: State

  /** @param heard the encoder's outputs */
  constructor(
    private readonly sessions: Sessions,
    shape: NetworkShape,
    private readonly step: Step,
    private readonly heard: Readonly<Record<string, Tensor>>,
  ) {
    const { Tensor: TensorOf } = sessions.library
    const { heads, layers } = shape.decoder
    const empty = new TensorOf('float32', new Float32Array(0), [1, heads, 0, shape.width / heads])
    this.nothing = Object.fromEntries(
      Array.from({ length: layers }, (_, layer) => [
        [`past.${layer}.key`, empty],
        [`past.${layer}.value`, empty],
      ]).flat() as [string, Tensor][],
    )
  }

  /** @param read places among the tokens: the logits of what comes after each of these */
  async next(
    state: State,
    tokens: readonly number[],
    read: readonly number[],
  ): Promise<{ state: State; logits: Float32Array[] }> {
    const pasts = Object.keys(state)
    const outputs = await this.run(state, tokens, read, ['logits', ...pasts.map(presentOf)])
    const logits = floats(outputs['logits'])
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
    return { data: floats(alignment), heads, tokens: tokens.length, places }
  }

  private run(state: State, tokens: readonly number[], read: readonly number[], outputs: string[]) {
    const { library, decoder } = this.sessions
    const integers = (values: readonly number[], ...shape: number[]) =>
      new library.Tensor('int64', BigInt64Array.from(values, BigInt), shape)
    const inputs = { tokens: integers(tokens, 1, tokens.length), read: integers(read, read.length) }
    return this.step(() => decoder.run({ ...inputs, ...state, ...this.heard }, outputs))
  }
}

const presentOf = (past: string) => past.replace('past', 'present')

const floats = (tensor: Tensor | undefined): Float32Array => tensor?.data as Float32Array
