import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { maxOf } from '@sallyport/kit/lists'
import type { MemoryEstimate, ModelSpec } from '@sallyport/core'
import type { OnnxInfo } from './format/read-onnx.js'
import { ModelFolder } from './files/model-folder.js'
import type { OnnxOptions } from './options.js'
import { inspect } from './session/inspect.js'

/** Memory of a process with Node.js and onnxruntime before a model is loaded. */
const processBytes = 110 * 1024 * 1024
/** onnxruntime keeps a second copy of the weights, arranged for its matrix products. */
const weightCopies = 2
/**
 * Memory between layers, per token of a batch and element of a vector. Encoders of 384 elements without fused attention
 * took 230 to 270 for texts of up to 256 tokens. onnxruntime never releases what the largest batch needed.
 */
const bytesPerElement = 256
/** Elements of a vector, where the file leaves them open. */
const defaultWidth = 768

/**
 * Estimates the memory of a model from the descriptions in its files. The weights of all-minilm-l6-v2, of 8 bits and
 * computed in single precision, are estimated at 181 MB; 185 MB were measured.
 * @throws model_invalid, model_files
 */
export const estimate = (spec: ModelSpec): Promise<MemoryEstimate> => {
  const folder = new ModelFolder(spec)
  const graphs = [folder.graph, folder.path('vision_model')].filter((path) => path !== undefined)
  const infos = graphs.map((path) => ({ path, ...inspect(spec.id, path) }))
  const widths = infos.flatMap(({ outputs }) =>
    outputs.map(({ shape }) => (shape.length === 3 ? (shape[2] ?? -1) : -1)),
  )
  const width = maxOf(widths)
  const { batchTokens } = spec.options as OnnxOptions
  return Promise.resolve({
    weights: weightCopies * infos.reduce((sum, { path, ...info }) => sum + sizeOf(path, info), 0),
    cache: 0,
    compute: processBytes + batchTokens * (width > 0 ? width : defaultWidth) * bytesPerElement,
  })
}

const sizeOf = (path: string, { externalData, wideningBytes }: OnnxInfo): number =>
  [path, ...externalData.map((location) => join(dirname(path), location))].reduce(
    (sum, file) => sum + statSync(file).size,
    wideningBytes,
  )
