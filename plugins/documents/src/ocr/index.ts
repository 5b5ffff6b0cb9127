export { decodePicture } from './decode/decode-picture.js'
export type { OcrEngine, OcrLine, Raster } from './engine.js'
export { PpOcrEngine } from './pp-ocr/pp-ocr-engine.js'
export type { PpOcrModels, PpOcrOptions } from './pp-ocr/pp-ocr-engine.js'
