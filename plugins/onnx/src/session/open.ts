import { inspect } from './inspect.js'
import { OrtSession } from './ort-session.js'
import type { SessionOptions } from './ort-session.js'

/**
 * Loads a model's file. It is read before native code sees it: what is not ONNX, is cut off, or wants files from
 * outside its folder is refused.
 * @throws model_invalid
 */
export const openSession = async (model: string, path: string, options: SessionOptions): Promise<OrtSession> => {
  const { metadata } = inspect(model, path)
  return OrtSession.load(model, path, options, metadata)
}
