import type { DocumentTree } from '../model/blocks.js'
import { DocumentProblem } from '../problem.js'
import { binaryFormat } from './detect.js'
import type { Reader, Source } from './source.js'
import { readText } from './text.js'

/** Readers are loaded with the first document of their format. */
const readers: Readonly<Record<'pdf' | 'zip' | 'ole' | 'rtf' | 'picture', () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf/index.js')).readPdf,
  zip: async () => (await import('./packed.js')).readPacked,
  ole: async () => (await import('./ole.js')).readOle,
  rtf: async () => (await import('./rtf/index.js')).readRtf,
  picture: async () => (await import('./picture.js')).readPicture,
}

/** Reads a document of any format, which its content tells. @throws DocumentProblem */
export const read = async (source: Source): Promise<DocumentTree> => {
  if (source.bytes.length === 0) throw new DocumentProblem('the file is empty: send one that has something in it')
  const format = binaryFormat(source.bytes)
  try {
    return await (format ? (await readers[format]())(source) : readText(source))
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw new DocumentProblem('its parts are nested too deeply: simplify it', { cause: error })
    throw new DocumentProblem('the file is damaged or cut off: save or upload it again', { cause: error })
  }
}
