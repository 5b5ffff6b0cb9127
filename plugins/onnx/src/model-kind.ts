import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { isFloat } from './encoder/rows.js'
import { readsTexts } from './encoder/text-inputs.js'

/** The task of a model. `output` is the name of the output to read. */
export type ModelKind =
  /** The model serves plain tensors only. `reason` is a clause for messages: "it has no input …". */
  | { readonly kind: 'tensors'; readonly reason: string }
  /** `pooled`: whether the output is one vector per text instead of one per token. */
  | { readonly kind: 'encoder'; readonly output: string; readonly pooled: boolean }
  | { readonly kind: 'cross-encoder' | 'text-classifier' | 'token-classifier'; readonly output: string }

/** The task of a model that reads texts. */
export type TextKind = Exclude<ModelKind, { readonly kind: 'tensors' }>

interface Signature {
  readonly inputs: readonly TensorSignature[]
  readonly outputs: readonly TensorSignature[]
}

export interface ModelFacts {
  /** The model's id. */
  readonly model: string
  /** Its config.json. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** Whether an image tower is beside the graph or in it. */
  readonly readsImages?: boolean
}

/**
 * Derives the task from the model's inputs and outputs, and from its config.json where these leave a choice.
 * @throws model_invalid for a model that reads images and has no output with the vector of a text
 */
export const modelKind = (
  { inputs, outputs }: Signature,
  { model, config = {}, readsImages }: ModelFacts,
): ModelKind => {
  const floats = outputs.filter(({ type }) => isFloat(type))
  const logits = floats.find(({ name }) => name === 'logits')
  const reason = textProblem(inputs, logits ? [] : ['pixel_values'])
  if (reason !== undefined) return { kind: 'tensors', reason }
  if (config['is_encoder_decoder'] === true) return { kind: 'tensors', reason: 'it is an encoder-decoder' }
  if (logits) return classifier(logits, config)
  return readsImages ? textTower(floats, model) : encoder(floats)
}

/** Why the model does not read texts; undefined where it does. */
const textProblem = (inputs: readonly TensorSignature[], others: readonly string[]): string | undefined => {
  const ids = inputs.find(({ name }) => name === 'input_ids')
  if (!ids) return 'it has no input "input_ids"'
  const unknown = inputs.find((input) => !readsTexts([ids, input], others))
  return unknown && `it wants "${unknown.name.slice(0, 64)}" (${unknown.type}, [${unknown.shape.join(', ')}])`
}

const classifier = ({ name: output, shape }: TensorSignature, config: Readonly<Record<string, unknown>>): ModelKind => {
  if (shape.length === 2) return { kind: labelCount(shape, config) === 1 ? 'cross-encoder' : 'text-classifier', output }
  // Logits per token are of labels or of a vocabulary, which only config.json tells.
  return shape.length === 3 && hasArchitectureFor(config, 'TokenClassification')
    ? { kind: 'token-classifier', output }
    : { kind: 'tensors', reason: 'its logits are not said to be of labels (architectures in config.json)' }
}

const labelCount = (shape: readonly number[], config: Readonly<Record<string, unknown>>): number => {
  const size = shape.at(-1) ?? -1
  return size === -1 && isRecord(config['id2label']) ? Object.keys(config['id2label']).length : size
}

const hasArchitectureFor = ({ architectures }: Readonly<Record<string, unknown>>, task: string): boolean =>
  Array.isArray(architectures) && architectures.some((name) => String(name).endsWith(`For${task}`))

/** The names that exporters give to the vector of a text. `pooler_output` is used only where there is none of them. */
const textVectorOutputs = ['text_embeds', 'sentence_embedding', 'embeddings', 'dense_vecs']

const encoder = (floats: readonly TensorSignature[]): ModelKind => {
  const perText = floats.filter(({ shape }) => shape.length === 2)
  const found =
    perText.find(({ name }) => textVectorOutputs.includes(name)) ??
    floats.find(({ shape }) => shape.length === 3) ??
    perText[0]
  return found
    ? { kind: 'encoder', output: found.name, pooled: found.shape.length === 2 }
    : { kind: 'tensors', reason: 'it has no output of fractions per text or per token' }
}

/** Pooling the tokens is no fallback here: the vector may have the right length, but is of another space than images. */
const textTower = (floats: readonly TensorSignature[], model: string): ModelKind => {
  const isThere = (output: string) => floats.some(({ name, shape }) => name === output && shape.length === 2)
  const output = [...textVectorOutputs, 'pooler_output'].find(isThere)
  if (output !== undefined) return { kind: 'encoder', output, pooled: true }
  const problem = 'it has a vision model, and no output text_embeds or pooler_output with one row per text beside it'
  throw failure('model_invalid', { model, problem })
}
