import { isRecord } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { isFloat } from './encoder/numbers.js'
import { readsTexts } from './encoder/text-inputs.js'

/** What a model is made for. `output` is the name of the output to read. */
export type ModelKind =
  | { readonly kind: 'tensors' }
  /** `pooled`: the output is one vector per text, and not one per token. */
  | { readonly kind: 'encoder'; readonly output: string; readonly pooled: boolean }
  | { readonly kind: 'cross-encoder' | 'text-classifier' | 'token-classifier'; readonly output: string }

interface Signature {
  readonly inputs: readonly TensorSignature[]
  readonly outputs: readonly TensorSignature[]
}

/** It follows from what the model reads and writes, and from its config.json where that leaves a choice. */
export const modelKind = ({ inputs, outputs }: Signature, config: Record<string, unknown> = {}): ModelKind => {
  if (!readsTexts(inputs, ['pixel_values']) || config['is_encoder_decoder'] === true) return { kind: 'tensors' }
  const floats = outputs.filter(({ type }) => isFloat(type))
  const logits = floats.find(({ name }) => name === 'logits')
  if (logits) return classifier(logits, config)
  return encoder(floats) ?? { kind: 'tensors' }
}

const classifier = ({ name: output, shape }: TensorSignature, config: Record<string, unknown>): ModelKind => {
  if (shape.length === 2) return { kind: labelCount(shape, config) === 1 ? 'cross-encoder' : 'text-classifier', output }
  // logits per token are of labels, or of a vocabulary: only config.json knows
  return shape.length === 3 && isMadeFor(config, 'TokenClassification')
    ? { kind: 'token-classifier', output }
    : { kind: 'tensors' }
}

const labelCount = (shape: readonly number[], config: Record<string, unknown>): number => {
  const size = shape.at(-1) ?? -1
  return size === -1 && isRecord(config['id2label']) ? Object.keys(config['id2label']).length : size
}

const isMadeFor = ({ architectures }: Record<string, unknown>, task: string): boolean =>
  Array.isArray(architectures) && architectures.some((name) => String(name).endsWith(`For${task}`))

/** The vector of a text that exporters write; `pooler_output` is left to models that have nothing else. */
const textVectors = ['sentence_embedding', 'text_embeds', 'embeddings', 'dense_vecs']

const encoder = (floats: readonly TensorSignature[]): ModelKind | undefined => {
  const ofTexts = floats.filter(({ shape }) => shape.length === 2)
  const found =
    ofTexts.find(({ name }) => textVectors.includes(name)) ??
    floats.find(({ shape }) => shape.length === 3) ??
    ofTexts[0]
  return found && { kind: 'encoder', output: found.name, pooled: found.shape.length === 2 }
}
