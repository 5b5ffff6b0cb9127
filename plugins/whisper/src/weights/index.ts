import { readCTranslate2 } from './ctranslate2.js'
import type { CTranslate2Files } from './ctranslate2.js'
import { ggmlMagic, readGgml } from './ggml.js'
import type { Network } from './network.js'
import { FileReader } from './reader.js'

export { valuesOf } from './network.js'
export type { AlignmentHead, Network, NetworkShape } from './network.js'
export type { CTranslate2Files as ModelFiles } from './ctranslate2.js'

/** Opens a model in either format, without reading its weights. @throws FormatError */
export const readNetwork = (files: CTranslate2Files): Network =>
  firstInteger(files.model) === ggmlMagic ? readGgml(files.model) : readCTranslate2(files)

const firstInteger = (path: string): number => {
  const reader = new FileReader(path)
  try {
    return reader.uint32()
  } finally {
    reader.close()
  }
}
