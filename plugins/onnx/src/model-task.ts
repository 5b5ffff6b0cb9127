import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { isFloat } from './encoder/rows.js'
import { isTextInput } from './encoder/text-inputs.js'
import { spanInputNames } from './span-classification/span-inputs.js'
import type { Signature } from './session/check-run.js'

/** The task of a model. `output` is the name of the output to read. */
export type ModelTask =
  /** The model serves plain tensors only. `reason` is a clause for messages: "it has no input …". */
  | { readonly type: 'tensors'; readonly reason: string }
  /** `pooled`: whether the output has one vector per text instead of one per token. */
  | { readonly type: 'embedding'; readonly output: string; readonly pooled: boolean }
  | {
      readonly type: 'cross-encoder' | 'text-classifier' | 'token-classifier' | 'span-classifier'
      readonly output: string
    }

/** The task of a model that takes texts. */
export type TextTask = Exclude<ModelTask, { readonly type: 'tensors' }>

export interface ModelDescription {
  /** The model's id. */
  readonly model: string
  /** Its config.json. */
  readonly config?: Readonly<Record<string, unknown>> | undefined
  /** Whether an image tower is in the graph or in a file of its own. */
  readonly hasImageTower?: boolean
}

/**
 * Derives the task from the model's inputs and outputs, and from its config.json where these leave a choice.
 * @throws model_invalid for a model with an image tower and without an output with the vector of a text
 */
export const modelTask = (
  { inputs, outputs }: Signature,
  { model, config = {}, hasImageTower }: ModelDescription,
): ModelTask => {
  const floats = outputs.filter(({ type }) => isFloat(type))
  const logits = floats.find(({ name }) => name === 'logits')
  const scoresSpans =
    logits?.shape.length === 4 && spanInputNames.every((name) => inputs.some((one) => one.name === name))
  if (scoresSpans && textProblem(inputs.filter(({ name }) => !spanInputNames.includes(name))) === undefined)
    return { type: 'span-classifier', output: logits.name }
  const reason = textProblem(logits ? inputs : inputs.filter(({ name }) => name !== 'pixel_values'))
  if (reason !== undefined) return { type: 'tensors', reason }
  if (config['is_encoder_decoder'] === true) return { type: 'tensors', reason: 'it is an encoder-decoder' }
  if (logits) return classifier(logits, config)
  return hasImageTower ? textTower(floats, model) : embeddingModel(floats)
}

/** Why the model does not take texts; undefined where it does. */
const textProblem = (inputs: readonly TensorSignature[]): string | undefined => {
  if (!inputs.some(({ name }) => name === 'input_ids')) return 'it has no input "input_ids"'
  const unknown = inputs.find((input) => !isTextInput(input))
  const shown = unknown && `"${unknown.name.slice(0, 64)}" (${unknown.type}, [${unknown.shape.join(', ')}])`
  return shown && `it needs an input that is not made from a text: ${shown}`
}

const classifier = ({ name: output, shape }: TensorSignature, config: Readonly<Record<string, unknown>>): ModelTask => {
  if (shape.length === 2) return { type: labelCount(shape, config) === 1 ? 'cross-encoder' : 'text-classifier', output }
  // Logits per token are of labels or of a vocabulary, which only config.json states.
  return shape.length === 3 && hasArchitectureFor(config, 'TokenClassification')
    ? { type: 'token-classifier', output }
    : { type: 'tensors', reason: logitsAmbiguous }
}

const logitsAmbiguous =
  'config.json names no architecture ...ForTokenClassification, so its logits may be of a vocabulary'

const labelCount = (shape: readonly number[], config: Readonly<Record<string, unknown>>): number => {
  const size = shape.at(-1) ?? -1
  return size === -1 && isRecord(config['id2label']) ? Object.keys(config['id2label']).length : size
}

const hasArchitectureFor = ({ architectures }: Readonly<Record<string, unknown>>, task: string): boolean =>
  Array.isArray(architectures) && architectures.some((name) => String(name).endsWith(`For${task}`))

/** The names that exporters give to the vector of a text. `pooler_output` is used only where there is none of them. */
const textVectorOutputs = ['text_embeds', 'sentence_embedding', 'embeddings', 'dense_vecs']

const embeddingModel = (floats: readonly TensorSignature[]): ModelTask => {
  const perText = floats.filter(({ shape }) => shape.length === 2)
  const found =
    perText.find(({ name }) => textVectorOutputs.includes(name)) ??
    floats.find(({ shape }) => shape.length === 3) ??
    perText[0]
  return found
    ? { type: 'embedding', output: found.name, pooled: found.shape.length === 2 }
    : { type: 'tensors', reason: 'it has no floating-point output per text or per token' }
}

/** The tokens are not pooled: the vector could have the right dimensions, but not be in the images' vector space. */
const textTower = (floats: readonly TensorSignature[], model: string): ModelTask => {
  const hasOutput = (output: string) => floats.some(({ name, shape }) => name === output && shape.length === 2)
  const output = [...textVectorOutputs, 'pooler_output'].find(hasOutput)
  if (output !== undefined) return { type: 'embedding', output, pooled: true }
  const problem =
    'it has a vision model, but its text model has no output text_embeds or pooler_output with one row per text'
  throw failure('model_invalid', { model, problem })
}
