import { failure, loggable } from '@sallyport/core'
import type { Call, InferenceCapability, Served, Tensor, TensorSignature } from '@sallyport/core'
import type { MarianConfig } from './config.js'
import { booleanTensor, emptyFloats, gatherRows, lastPositions, maskOf, paddedRows } from './tensors.js'
import { invalidModel } from './files.js'

type Graph = () => Served<InferenceCapability>

/** An input of the decoder that holds cached keys or values. */
interface CacheInput {
  readonly name: string
  /** The output that becomes this input. */
  readonly output: string
  /** Whether it is computed from the source text, and so the same in all steps. */
  readonly isFromSource: boolean
  readonly heads: number
  readonly headSize: number
}

export interface Graphs {
  readonly encoder: Graph
  readonly decoder: Graph
  /** Empty where the decoder has no cache and reads the whole translation at each step. */
  readonly cache: readonly CacheInput[]
  /** Names of the decoder's inputs. */
  readonly inputs: ReadonlySet<string>
  readonly padId: number
}

/**
 * Reads the signature of a decoder, which may lack the number and the size of the heads.
 * @throws model_invalid where it is not one of a Marian model
 */
export const decoderInputs = (
  { inputs, outputs }: { readonly inputs: readonly TensorSignature[]; readonly outputs: readonly TensorSignature[] },
  { model, heads, headSize }: Pick<MarianConfig, 'heads' | 'headSize'> & { readonly model: string },
): Pick<Graphs, 'cache' | 'inputs'> => {
  const names = new Set(inputs.map(({ name }) => name))
  for (const needed of ['input_ids', 'encoder_hidden_states', 'encoder_attention_mask'])
    if (!names.has(needed)) throw invalidModel(model, `its decoder has no input "${needed}"`)
  if (!outputs.some(({ name, type }) => name === 'logits' && type === 'FP32'))
    throw invalidModel(model, 'its decoder has no output "logits" of FP32')
  const past = inputs.filter(({ name }) => name.startsWith('past_key_values.'))
  if (past.length > 0 && !names.has('use_cache_branch'))
    throw invalidModel(model, 'its decoder needs a cache from the first step on: take decoder_model_merged.onnx')
  const cache = past.map(({ name, shape }) => ({
    name,
    output: name.replace('past_key_values', 'present'),
    isFromSource: name.includes('.encoder.'),
    heads: positiveSize(shape[1]) ?? heads,
    headSize: positiveSize(shape[3]) ?? headSize,
  }))
  return { cache, inputs: names }
}

const positiveSize = (size: number | undefined) => (size === undefined || size < 1 ? undefined : size)

/** The translations of a batch, which grow token by token, each in a row. At first each text has one empty row. */
export class Decoding {
  private tokens: readonly (readonly number[])[]
  private sourceOf: readonly number[]
  /** The cache: by row for the decoder, by text for the encoder. */
  private past: ReadonlyMap<string, Tensor> | undefined

  private constructor(
    private readonly graphs: Graphs,
    private readonly states: Tensor,
    private readonly mask: Tensor,
  ) {
    const count = states.shape[0] ?? 0
    this.sourceOf = Array.from({ length: count }, (_, row) => row)
    this.tokens = this.sourceOf.map(() => [])
  }

  /** @param sources the token ids of each text, with the one that ends a text */
  static async start(graphs: Graphs, sources: readonly (readonly number[])[], call: Call): Promise<Decoding> {
    const mask = maskOf(sources)
    const inputs = { input_ids: paddedRows(sources, graphs.padId), attention_mask: mask }
    const { outputs } = await graphs.encoder().run({ inputs, outputs: ['last_hidden_state'] }, call)
    return new Decoding(graphs, outputNamed(outputs, 'last_hidden_state'), mask)
  }

  /**
   * Selects rows by their positions before, in any order and number, and appends a token to each.
   * @returns the logits of the next token, by row
   */
  async step(parents: readonly number[], tokens: readonly number[], call: Call): Promise<Float32Array[]> {
    this.tokens = parents.map((parent, row) => [...(this.tokens[parent] ?? []), tokens[row] ?? 0])
    this.sourceOf = parents.map((parent) => this.sourceOf[parent] ?? 0)
    const { cache, decoder } = this.graphs
    const fromStart = this.past === undefined
    const ids = fromStart ? this.tokens : tokens.map((token) => [token])
    const inputs = {
      input_ids: paddedRows(ids, this.graphs.padId),
      encoder_hidden_states: gatherRows(this.states, this.sourceOf),
      encoder_attention_mask: gatherRows(this.mask, this.sourceOf),
      ...(this.graphs.inputs.has('use_cache_branch') && { use_cache_branch: booleanTensor(!fromStart) }),
      ...Object.fromEntries(cache.map((input) => [input.name, this.pastOf(input, parents)])),
    }
    const wanted = cache.filter(({ isFromSource }) => fromStart || !isFromSource).map(({ output }) => output)
    const { outputs } = await decoder().run({ inputs, outputs: ['logits', ...wanted] }, call)
    this.remember(outputs)
    return lastPositions(outputNamed(outputs, 'logits'))
  }

  private pastOf({ name, isFromSource, heads, headSize }: CacheInput, parents: readonly number[]): Tensor {
    const past = this.past?.get(name)
    if (!past) return emptyFloats([parents.length, heads, 0, headSize])
    return gatherRows(past, isFromSource ? this.sourceOf : parents)
  }

  /** Keeps the encoder's part of the first step, as the graph returns nothing for it later. */
  private remember(outputs: Readonly<Record<string, Tensor>>): void {
    const past = new Map<string, Tensor>()
    for (const { name, output, isFromSource } of this.graphs.cache)
      past.set(name, (isFromSource ? this.past?.get(name) : undefined) ?? outputNamed(outputs, output))
    if (past.size > 0) this.past = past
  }
}

const outputNamed = (outputs: Readonly<Record<string, Tensor>>, name: string): Tensor => {
  const tensor = outputs[name]
  if (!tensor) throw failure('internal', {}, { cause: loggable(new Error(`the graph returned no ${name}`)) })
  return tensor
}
