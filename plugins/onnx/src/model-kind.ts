import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { isFloat } from './encoder/rows.js'
import { readsTexts } from './encoder/text-inputs.js'

/** What a model is made for. `output` is the name of the output to read. */
export type ModelKind =
  /** `because` ends a sentence that begins with why nothing else is offered. */
  | { readonly kind: 'tensors'; readonly because: string }
  /** `pooled`: the output is one vector per text, and not one per token. */
  | { readonly kind: 'encoder'; readonly output: string; readonly pooled: boolean }
  | { readonly kind: 'cross-encoder' | 'text-classifier' | 'token-classifier'; readonly output: string }

/** What a model of texts is made for. */
export type TextKind = Exclude<ModelKind, { readonly kind: 'tensors' }>

interface Signature {
  readonly inputs: readonly TensorSignature[]
  readonly outputs: readonly TensorSignature[]
}

export interface KnownOfModel {
  /** The model's id. */
  readonly model: string
  /** Its config.json. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** Whether a half that reads images is beside the graph or in it. */
  readonly sees?: boolean
}

/**
 * It follows from what the model reads and writes, and from its config.json where that leaves a choice.
 * @throws model_invalid for a model that sees and has no vector of a text
 */
export const modelKind = ({ inputs, outputs }: Signature, { model, config = {}, sees }: KnownOfModel): ModelKind => {
  const floats = outputs.filter(({ type }) => isFloat(type))
  const logits = floats.find(({ name }) => name === 'logits')
  const because = obstacle(inputs, logits ? [] : ['pixel_values'])
  if (because !== undefined) return { kind: 'tensors', because }
  if (config['is_encoder_decoder'] === true) return { kind: 'tensors', because: 'it is an encoder-decoder' }
  if (logits) return classifier(logits, config)
  return sees ? textTower(floats, model) : encoder(floats)
}

/** Why the model does not read texts; undefined where it does. */
const obstacle = (inputs: readonly TensorSignature[], others: readonly string[]): string | undefined => {
  const ids = inputs.find(({ name }) => name === 'input_ids')
  if (!ids) return 'it has no input "input_ids"'
  const unknown = inputs.find((input) => !readsTexts([ids, input], others))
  return unknown && `it wants "${unknown.name.slice(0, 64)}" (${unknown.type}, [${unknown.shape.join(', ')}])`
}

const classifier = ({ name: output, shape }: TensorSignature, config: Readonly<Record<string, unknown>>): ModelKind => {
  if (shape.length === 2) return { kind: labelCount(shape, config) === 1 ? 'cross-encoder' : 'text-classifier', output }
  // logits per token are of labels, or of a vocabulary: only config.json knows
  return shape.length === 3 && isMadeFor(config, 'TokenClassification')
    ? { kind: 'token-classifier', output }
    : { kind: 'tensors', because: 'its logits are not said to be of labels (architectures in config.json)' }
}

const labelCount = (shape: readonly number[], config: Readonly<Record<string, unknown>>): number => {
  const size = shape.at(-1) ?? -1
  return size === -1 && isRecord(config['id2label']) ? Object.keys(config['id2label']).length : size
}

const isMadeFor = ({ architectures }: Readonly<Record<string, unknown>>, task: string): boolean =>
  Array.isArray(architectures) && architectures.some((name) => String(name).endsWith(`For${task}`))

/** The vector of a text that exporters write; `pooler_output` is left to models that have nothing else. */
const textVectors = ['text_embeds', 'sentence_embedding', 'embeddings', 'dense_vecs']

const encoder = (floats: readonly TensorSignature[]): ModelKind => {
  const ofTexts = floats.filter(({ shape }) => shape.length === 2)
  const found =
    ofTexts.find(({ name }) => textVectors.includes(name)) ??
    floats.find(({ shape }) => shape.length === 3) ??
    ofTexts[0]
  return found
    ? { kind: 'encoder', output: found.name, pooled: found.shape.length === 2 }
    : { kind: 'tensors', because: 'it has no output of fractions per text or per token' }
}

/** The mean of a text's tokens would be a vector, too, and often as long: but of another space than the images'. */
const textTower = (floats: readonly TensorSignature[], model: string): ModelKind => {
  const isThere = (output: string) => floats.some(({ name, shape }) => name === output && shape.length === 2)
  const output = [...textVectors, 'pooler_output'].find(isThere)
  if (output !== undefined) return { kind: 'encoder', output, pooled: true }
  const problem = 'it has a vision model, and no output text_embeds or pooler_output with one row per text beside it'
  throw failure('model_invalid', { model, problem })
}
