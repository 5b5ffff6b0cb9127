import { ElementCount } from '../elements.js'
import type { DocumentTree } from '../model/blocks.js'
import { DocumentProblem, ours, OwnFailure } from '../problem.js'
import { withAttachments } from './attachments.js'
import { binaryFormat } from './detect.js'
import type { ReadDocument, Reader, Source } from './source.js'
import { readText } from './text.js'

/** Readers are loaded with the first document of their format. */
const readers: Readonly<Record<'pdf' | 'zip' | 'ole' | 'rtf' | 'image', () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf/index.js')).readPdf,
  zip: async () => (await import('./packed.js')).readPacked,
  ole: async () => (await import('./ole.js')).readOle,
  rtf: async () => (await import('./rtf/index.js')).readRtf,
  image: async () => (await import('./image.js')).readImage,
}

const imagesInText = () => import('./images-in-text.js')

/** Documents that are attached to each other: what is deeper is named only. */
const deepest = 3

/**
 * Reads a document of any format, which its content tells, with what is attached to it.
 * @throws DocumentProblem, OwnFailure
 */
export const read = (source: Omit<Source, 'elements'>): Promise<DocumentTree> =>
  readAt(0, { ...source, elements: new ElementCount(source.limits.elements) })

/** @param depth how many documents it is attached to */
const readAt = async (depth: number, source: Source): Promise<DocumentTree> => {
  const { attachments = [], ...tree } = await readOne(source)
  const readable = depth < deepest ? attachments : []
  return withAttachments(tree, readable, (bytes) => readAt(depth + 1, { ...source, bytes }))
}

const readOne = async (source: Source): Promise<ReadDocument> => {
  const { bytes, ocr } = source
  if (bytes.length === 0) throw new DocumentProblem('the file is empty: send one that has something in it')
  const format = binaryFormat(bytes)
  // these two look for images themselves
  const readsImages = format === 'pdf' || format === 'image'
  const reader = format ? await ours('a reader could not be loaded', readers[format]) : readText
  try {
    if (!ocr || readsImages) return await reader(source)
    const { withReadImages } = await ours('the reader of images could not be loaded', imagesInText)
    return await withReadImages(await reader({ ...source, embedImages: true }), source, ocr)
  } catch (error) {
    if (error instanceof DocumentProblem || error instanceof OwnFailure) throw error
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw new DocumentProblem('its parts are nested too deeply: simplify it', { cause: error })
    throw new DocumentProblem('the file is damaged or cut off: save or upload it again', { cause: error })
  }
}
