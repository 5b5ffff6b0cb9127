import { ElementBudget } from '../element-budget.js'
import type { DocumentTree } from '../model/blocks.js'
import { DocumentProblem, asOwnFailure, OwnFailure } from '../problem.js'
import { withAttachments } from './attachments.js'
import { detectFormat } from './detect.js'
import type { ReaderResult, Reader, Source } from './source.js'
import { readText } from './text.js'

/** Readers are imported with the first document of their format. */
const readers: Readonly<Record<'pdf' | 'zip' | 'ole' | 'rtf' | 'image', () => Promise<Reader>>> = {
  pdf: async () => (await import('./pdf/index.js')).readPdf,
  zip: async () => (await import('./container.js')).readContainer,
  ole: async () => (await import('./ole.js')).readOle,
  rtf: async () => (await import('./rtf/index.js')).readRtf,
  image: async () => (await import('./image.js')).readImage,
}

/** Max nesting of attachments; deeper ones are only named. */
const maxAttachmentDepth = 3

/**
 * Reads a document and its attachments; the format is detected by content.
 * @throws DocumentProblem, OwnFailure
 */
export const read = (source: Omit<Source, 'elements'>): Promise<DocumentTree> =>
  readAt(0, { ...source, elements: new ElementBudget(source.limits.elements) })

/** @param depth nesting of the attachment; 0 for the document itself */
const readAt = async (depth: number, source: Source): Promise<DocumentTree> => {
  const { attachments = [], ...tree } = await readOne(source)
  const readable = depth < maxAttachmentDepth ? attachments : []
  return withAttachments(tree, readable, (bytes) => readAt(depth + 1, { ...source, bytes }))
}

const readOne = async (source: Source): Promise<ReaderResult> => {
  const { bytes, ocr } = source
  if (bytes.length === 0) throw new DocumentProblem('the file is empty: send one that has something in it')
  const format = detectFormat(bytes)
  // these two readers run OCR themselves
  const readsImages = format === 'pdf' || format === 'image'
  const reader = format ? await asOwnFailure('a reader could not be loaded', readers[format]) : readText
  try {
    if (!ocr || readsImages) return await reader(source)
    const { withImageText } = await asOwnFailure('a reader could not be loaded', () => import('./images-in-text.js'))
    return await withImageText(await reader({ ...source, embedImages: true }), source, ocr)
  } catch (error) {
    if (error instanceof DocumentProblem || error instanceof OwnFailure) throw error
    if (error instanceof RangeError && /call stack/.test(error.message))
      throw new DocumentProblem('its parts are nested too deeply: simplify it', { cause: error })
    throw new DocumentProblem('the file is damaged or cut off: save or upload it again', { cause: error })
  }
}
