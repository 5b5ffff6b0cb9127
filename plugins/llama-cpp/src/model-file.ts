import { failure } from '@sallyport/core'
import type { MemoryEstimate, ModelSpec } from '@sallyport/core'
import { engineMemory, engineShape, inspectModel } from './engine/engine.js'
import type { LlamaCppOptions } from './options.js'

/** Path of the weights. @throws model_files */
export const modelFile = ({ id, files }: ModelSpec): string => {
  const path = files['model']
  if (path === undefined) throw failure('model_files', { model: id, problem: 'it has no file with the name "model"' })
  return path
}

/** What the model will need, from its header alone. @throws model_invalid, model_files */
export const estimate = (spec: ModelSpec): Promise<MemoryEstimate> => {
  const facts = inspectModel(spec.id, modelFile(spec))
  return Promise.resolve(engineMemory(facts, engineShape(facts, spec.options as LlamaCppOptions)))
}
