export { leavingFolder } from './external-data.js'
export { readOnnxFile } from './read-onnx.js'
export type { OnnxInfo, OnnxValue } from './read-onnx.js'
