/** Formats of weights that several plugins read or write. */

export { FormatError } from './format-error.js'
export { buildOnnx, int64, scalar } from './onnx/build-onnx.js'
export type {
  OnnxExternalTensor,
  OnnxGraph,
  OnnxNode,
  OnnxTensor,
  OnnxValueInfo,
  TensorData,
} from './onnx/build-onnx.js'
export { dataTypes, modelProto } from './onnx/schema.js'
export { readTorch } from './torch/read-torch.js'
export type { TorchTensor } from './torch/read-torch.js'
