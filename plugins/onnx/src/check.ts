import type { ModelSpec, TensorSignature } from '@sallyport/core'
import { ModelFolder } from './files/model-folder.js'
import type { OnnxInfo, OnnxValue } from './format/read-onnx.js'
import { readTokenizer, statedLimit } from './text-limits.js'
import { modelKind } from './model-kind.js'
import type { OnnxOptions } from './options.js'
import { hasVision } from './vision.js'
import { sentenceVectors } from './files/sentence-facts.js'
import { inspect } from './session/inspect.js'

/**
 * Reads a model's files as `openModel` does, without loading the model.
 * @throws model_invalid, model_files
 */
export const check = (spec: ModelSpec): void => {
  const options = spec.options as OnnxOptions
  const folder = new ModelFolder(spec)
  const config = folder.json('config.json')
  const graph = signatureOf(inspect(spec.id, folder.graph))
  if (!graph) return
  const kind = modelKind(graph, { model: spec.id, config, readsImages: hasVision(folder, graph) })
  if (kind.kind === 'tensors') return
  readTokenizer(folder, kind, statedLimit(folder, graph.inputs, options) ?? Infinity)
  if (kind.kind === 'encoder') sentenceVectors(folder, kind, options)
}

/** Undefined where the file leaves open types or shapes, which onnxruntime infers only while it loads the graph. */
const signatureOf = ({ inputs, outputs }: OnnxInfo) =>
  inputs.every(isDescribed) && outputs.every(isDescribed) ? { inputs, outputs } : undefined

const isDescribed = (value: OnnxValue): value is OnnxValue & TensorSignature =>
  value.type !== undefined && value.shape.length > 0
