import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { failure } from '@sallyport/core'
import { FormatError } from '@sallyport/weights'
import { leavingFolder, readOnnxFile } from '../format/index.js'
import type { OnnxInfo } from '../format/index.js'

/** What the file says of itself, its weights not read. @throws model_invalid */
export const inspect = (model: string, path: string): OnnxInfo => {
  const info = readInfo(model, path)
  for (const location of info.externalData) checkExternal(model, path, location)
  return info
}

const readInfo = (model: string, path: string): OnnxInfo => {
  try {
    return readOnnxFile(path)
  } catch (cause) {
    if (!(cause instanceof FormatError)) throw cause
    throw failure('model_invalid', { model, problem: cause.message }, { cause })
  }
}

const checkExternal = (model: string, path: string, location: string): void => {
  const shown = location.slice(0, 64)
  if (leavingFolder([location]).length > 0 || linksElsewhere(dirname(path), location))
    throw failure('model_invalid', { model, problem: `it wants weights from outside its folder ("${shown}")` })
  if (!existsSync(join(dirname(path), location)))
    throw failure('model_invalid', { model, problem: `its weights are in another file: put "${shown}" beside it` })
}

/** Links inside the folder may be hard or lead to a cache, as those of the hub's client do; names with `..` may not. */
const linksElsewhere = (folder: string, location: string): boolean => {
  const path = join(folder, dirname(location))
  return existsSync(path) && !`${realpathSync(path)}${sep}`.startsWith(`${realpathSync(folder)}${sep}`)
}
