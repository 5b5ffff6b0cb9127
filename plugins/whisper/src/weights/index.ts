import { withFile } from '../file-bytes.js'
import { readCTranslate2 } from './ctranslate2.js'
import type { ModelFiles } from './ctranslate2.js'
import { ggmlMagic, readGgml } from './ggml.js'
import type { Checkpoint } from './checkpoint.js'
import { FileReader } from './reader.js'

export { valuesOf } from './checkpoint.js'
export type { AlignmentHead, Checkpoint, ModelDimensions } from './checkpoint.js'
export type { ModelFiles } from './ctranslate2.js'

/** Reads a checkpoint in either format; weights are read on demand. @throws FormatError */
export const readCheckpoint = (files: ModelFiles): Checkpoint =>
  withFile(files.model, (file) => {
    const reader = new FileReader(file)
    return reader.uint32() === ggmlMagic ? readGgml(reader) : readCTranslate2(new FileReader(file), files)
  })
