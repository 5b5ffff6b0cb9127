import type { ModelSpec, TensorSignature } from '@sallyport/core'
import { labelsOf } from './classification/labels.js'
import { ModelFiles } from './files/model-files.js'
import type { OnnxInfo, OnnxValue } from './format/read-onnx.js'
import { readTokenizerDefinition, statedContextLength } from './text-limits.js'
import { modelTask } from './model-task.js'
import type { OnnxOptions } from './options.js'
import { hasImageTower } from './open-image-tower.js'
import { embeddingSettings } from './files/sentence-transformers-config.js'
import { readCheckedInfo } from './session/inspect.js'
import { spanSettings } from './span-classification/prompt.js'

/**
 * Reads a model's files as `openModel` does, without loading the model.
 * @throws model_invalid, model_files
 */
export const check = (spec: ModelSpec): void => {
  const options = spec.options as OnnxOptions
  const files = new ModelFiles(spec)
  const config = files.json('config.json')
  const signature = signatureOf(readCheckedInfo(spec.id, files.requiredPath('model')))
  if (!signature) return
  const task = modelTask(signature, { model: spec.id, config, hasImageTower: hasImageTower(files, signature) })
  if (task.type === 'tensors') return
  const definition = readTokenizerDefinition(
    files,
    task,
    statedContextLength(files, signature.inputs, options) ?? Infinity,
  )
  if (task.type === 'embedding') embeddingSettings(files, task, options)
  if (task.type === 'text-classifier' || task.type === 'token-classifier') labelsOf(config, spec.id)
  if (task.type === 'span-classifier') spanSettings(files, definition, options)
}

/** Undefined where the file leaves open types or shapes, which onnxruntime infers only while it loads the graph. */
const signatureOf = ({ inputs, outputs }: OnnxInfo) =>
  inputs.every(isDescribed) && outputs.every(isDescribed) ? { inputs, outputs } : undefined

const isDescribed = (value: OnnxValue): value is OnnxValue & TensorSignature =>
  value.type !== undefined && value.shape.length > 0
