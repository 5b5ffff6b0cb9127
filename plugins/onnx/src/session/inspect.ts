import { dirname, join, posix, sep } from 'node:path'
import { existsSync, realpathSync } from 'node:fs'
import { failure } from '@sallyport/core'
import type { TensorSignature } from '@sallyport/core'
import { FormatError } from '@sallyport/weights'
import { readOnnxFile } from '../format/read-onnx.js'
import type { OnnxInfo, OnnxValue } from '../format/read-onnx.js'
import { OrtSession } from './ort-session.js'
import type { SessionOptions } from './ort-session.js'

/**
 * Reads the description in the file, without its weights, and checks that its external weights exist and are within its
 * folder.
 * @throws model_invalid
 */
export const readCheckedInfo = (model: string, path: string): OnnxInfo => {
  try {
    const info = readOnnxFile(path)
    for (const location of info.externalData) checkExternal(dirname(path), location)
    return info
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    throw failure('model_invalid', { model, problem: cause.message }, { cause })
  }
}

const checkExternal = (folder: string, location: string): void => {
  const shown = location.slice(0, 64)
  if (leavesFolder(location) || linksElsewhere(folder, location))
    throw new FormatError(`it refers to weights outside its folder ("${shown}")`)
  if (!existsSync(join(folder, location)))
    throw new FormatError(`its weights are in another file: put "${shown}" beside it`)
}

/**
 * Whether the folder of the weights leads outside through a link. The file itself may be a link: huggingface_hub links
 * files to its cache.
 */
const linksElsewhere = (folder: string, location: string): boolean => {
  const path = join(folder, dirname(location))
  return existsSync(path) && !`${realpathSync(path)}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)
}

/** Whether a location leaves the model's folder: an absolute one, a drive, or a path that climbs out. */
export const leavesFolder = (location: string): boolean => {
  const path = posix.normalize(location.replaceAll('\\', '/'))
  const climbs = path === '.' || path === '..' || path.startsWith('../')
  return !location || path.includes('\0') || path.startsWith('/') || /^[a-z]:/i.test(path) || climbs
}

/**
 * Loads a model's file. It is inspected before native code sees it: a file that is not ONNX, is truncated or refers to
 * files outside its folder is refused.
 * @throws model_invalid
 */
export const openSession = async (model: string, path: string, options: SessionOptions): Promise<OrtSession> => {
  const { metadata, outputs } = readCheckedInfo(model, path)
  const session = await OrtSession.load(model, path, options, metadata)
  const problem = outputs.map((declared) => widthProblem(declared, session.outputs)).find((each) => each !== undefined)
  if (problem === undefined) return session
  await session.release()
  throw failure('model_invalid', { model, problem })
}

/** Where weights settle how wide an output is, onnxruntime says so, and not what the file declares. */
const widthProblem = ({ name, shape }: OnnxValue, outputs: readonly TensorSignature[]): string | undefined => {
  const [declared = -1, width = -1] = [shape.at(-1), outputs.find((output) => output.name === name)?.shape.at(-1)]
  if (declared < 0 || width < 0 || declared === width) return undefined
  return `its output "${name.slice(0, 64)}" has rows of ${width} numbers, and its file declares ${declared}: export it again`
}
