import { readFile, stat } from 'node:fs/promises'
import { contentsOf } from '@sallyport/core'
import type { ExtractionResult } from '@sallyport/core'
import { chunksOf, oneChunk } from '../chunk/parts.js'
import type { Ocr } from '../raster.js'
import { DocumentProblem } from '../problem.js'
import { read } from '../read/index.js'
import { write } from '../write/index.js'
import { countWords } from '../write/words.js'
import type { ParseJob } from './protocol.js'

/** Max size of a file, which is read into memory. */
const maxFileBytes = 512 * 2 ** 20

/** Reads a document and converts it to the requested format. @throws DocumentProblem */
export const parse = async ({ request, limits }: ParseJob, ocr: Ocr): Promise<ExtractionResult> => {
  const { file, fileName, format, embedImages = false, chunkSize } = request
  const { size } = await stat(file)
  if (size > maxFileBytes)
    throw new DocumentProblem(
      `it has ${Math.ceil(size / 2 ** 20)} MB, and at most ${maxFileBytes / 2 ** 20} are read: split it`,
    )
  const bytes = await readFile(file)
  const tree = await read({ bytes, limits, embedImages, ...(request.ocr && { ocr }) })
  const title = tree.title?.replace(/\s+/g, ' ').trim() || fileName
  const fragments = write({ ...tree, title }, format, limits.characters)
  const plain = format === 'text' ? fragments : write(tree, 'text', limits.characters)
  return {
    title,
    words: countWords(plain.flatMap(({ pieces }) => pieces.map((piece) => contentsOf(piece, 'text'))).join('')),
    ...(chunkSize === undefined || format === 'json' ? oneChunk(fragments) : chunksOf(fragments, format, chunkSize)),
  }
}
