import { failure, loggable } from '@sallyport/core'
import type { Call, InferenceCapability, Served, Tensor, TensorSignature } from '@sallyport/core'
import { flag, gathered, integerRows, lastPositions, maskOf, noFloats } from './tensors.js'

type Graph = () => Served<InferenceCapability>

/** What is needed of the decoder's inputs. */
interface CacheInput {
  readonly name: string
  /** The output that becomes this input. */
  readonly output: string
  /** Of the source text, and the same in all steps. */
  readonly ofEncoder: boolean
  readonly heads: number
  readonly size: number
}

export interface Graphs {
  readonly encoder: Graph
  readonly decoder: Graph
  /** None where the decoder reads a translation from its beginning at each step. */
  readonly cache: readonly CacheInput[]
  /** Names of the decoder's inputs. */
  readonly inputs: ReadonlySet<string>
  readonly padId: number
}

/** What `decoderInputs` is told of a model beside its signature. */
export interface HeadFacts {
  readonly model: string
  readonly heads: number
  /** Elements of a key or value of one head. */
  readonly size: number
}

/** @throws model_invalid where it is no decoder of a Marian model */
export const decoderInputs = (
  { inputs, outputs }: { readonly inputs: readonly TensorSignature[]; readonly outputs: readonly TensorSignature[] },
  { model, heads, size }: HeadFacts,
): Pick<Graphs, 'cache' | 'inputs'> => {
  const names = new Set(inputs.map(({ name }) => name))
  for (const needed of ['input_ids', 'encoder_hidden_states', 'encoder_attention_mask'])
    if (!names.has(needed)) throw invalid(model, `its decoder has no input "${needed}"`)
  if (!outputs.some(({ name, type }) => name === 'logits' && type === 'FP32'))
    throw invalid(model, 'its decoder has no output "logits" of FP32')
  const past = inputs.filter(({ name }) => name.startsWith('past_key_values.'))
  if (past.length > 0 && !names.has('use_cache_branch'))
    throw invalid(model, 'its decoder wants a cache from the first step on: take decoder_model_merged.onnx')
  const cache = past.map(({ name, shape }) => ({
    name,
    output: name.replace('past_key_values', 'present'),
    ofEncoder: name.includes('.encoder.'),
    heads: known(shape[1]) ?? heads,
    size: known(shape[3]) ?? size,
  }))
  return { cache, inputs: names }
}

const invalid = (model: string, problem: string) => failure('model_invalid', { model, problem })

const known = (size: number | undefined) => (size === undefined || size < 1 ? undefined : size)

/** Translations of a batch of texts that grow token by token, a row each; at first there is one per text, empty. */
export class Decoding {
  private tokens: readonly (readonly number[])[]
  private sourceOf: readonly number[]
  /** Of the decoder by row, of the encoder by text. */
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

  /** @param sources token ids, with the one that ends a text */
  static async start(graphs: Graphs, sources: readonly (readonly number[])[], call: Call): Promise<Decoding> {
    const mask = maskOf(sources)
    const inputs = { input_ids: integerRows(sources, graphs.padId), attention_mask: mask }
    const { outputs } = await graphs.encoder().run({ inputs, outputs: ['last_hidden_state'] }, call)
    return new Decoding(graphs, outputNamed(outputs, 'last_hidden_state'), mask)
  }

  /**
   * Takes up rows by their places before, as often as wanted, and puts a token behind each.
   * @returns logits of what comes next, by row
   */
  async step(parents: readonly number[], tokens: readonly number[], call: Call): Promise<Float32Array[]> {
    this.tokens = parents.map((parent, row) => [...(this.tokens[parent] ?? []), tokens[row] ?? 0])
    this.sourceOf = parents.map((parent) => this.sourceOf[parent] ?? 0)
    const { cache, decoder } = this.graphs
    const fromStart = this.past === undefined
    const ids = fromStart ? this.tokens : tokens.map((token) => [token])
    const inputs = {
      input_ids: integerRows(ids, this.graphs.padId),
      encoder_hidden_states: gathered(this.states, this.sourceOf),
      encoder_attention_mask: gathered(this.mask, this.sourceOf),
      ...(this.graphs.inputs.has('use_cache_branch') && { use_cache_branch: flag(!fromStart) }),
      ...Object.fromEntries(cache.map((input) => [input.name, this.pastOf(input, parents)])),
    }
    const wanted = cache.filter(({ ofEncoder }) => fromStart || !ofEncoder).map(({ output }) => output)
    const { outputs } = await decoder().run({ inputs, outputs: ['logits', ...wanted] }, call)
    this.remember(outputs)
    return lastPositions(outputNamed(outputs, 'logits'))
  }

  private pastOf({ name, ofEncoder, heads, size }: CacheInput, parents: readonly number[]): Tensor {
    const past = this.past?.get(name)
    if (!past) return noFloats([parents.length, heads, 0, size])
    return gathered(past, ofEncoder ? this.sourceOf : parents)
  }

  /** What the encoder is asked for is right in the first step only: later, the graph gives nothing for it. */
  private remember(outputs: Readonly<Record<string, Tensor>>): void {
    const { cache } = this.graphs
    if (cache.length === 0) return
    const before = this.past
    this.past = new Map(
      cache.map(({ name, output, ofEncoder }) => [
        name,
        (ofEncoder ? before?.get(name) : undefined) ?? outputNamed(outputs, output),
      ]),
    )
  }
}

const outputNamed = (outputs: Readonly<Record<string, Tensor>>, name: string): Tensor => {
  const tensor = outputs[name]
  if (!tensor) throw failure('internal', {}, { cause: loggable(new Error(`the graph gave no ${name}`)) })
  return tensor
}
