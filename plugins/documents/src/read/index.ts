import { append } from '@sallyport/kit/lists'
import { ElementBudget } from '../element-budget.js'
import type { Block, DocumentTree } from '../model/blocks.js'
import { text } from '../model/inlines.js'
import { DocumentProblem, asOwnFailure, OwnFailure, WholeLimitProblem } from '../problem.js'
import type { Ocr } from '../raster.js'
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
export const read = ({ ocr, ...source }: Omit<Source, 'elements'>): Promise<DocumentTree> =>
  readAt(0, {
    ...source,
    elements: new ElementBudget(source.limits.elements),
    ...(ocr && { ocr: limitedOcr(ocr, source.limits.ocrPages) }),
  })

/** Reads no more images than that; their time is not limited otherwise. */
const limitedOcr = (ocr: Ocr, max: number): Ocr => {
  let count = 0
  return (image) => {
    count += 1
    if (count > max)
      throw new WholeLimitProblem(
        `it has more than ${max} images, or pages that are images, which takes too long to read: split it`,
      )
    return ocr(image)
  }
}

/** @param depth nesting of the attachment; 0 for the document itself */
const readAt = async (depth: number, source: Source): Promise<DocumentTree> => {
  const { attachments = [], ...tree } = await readOne(source)
  const blocks = [...tree.blocks]
  for (const { name, bytes } of depth < maxAttachmentDepth ? attachments : []) {
    // attachments that cannot be read are left out
    const attachment = await readAt(depth + 1, { ...source, bytes }).catch(undefinedForProblem)
    if (!attachment?.blocks.length) continue
    blocks.push({ type: 'heading', level: 2, content: [text(name)] })
    append(blocks, attachment.blocks.map(asAttachment))
  }
  return { ...tree, blocks }
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

const undefinedForProblem = (error: unknown): undefined => {
  if (!(error instanceof DocumentProblem) || error instanceof WholeLimitProblem) throw error
}

/** Removes positions, which are those of another document, and lowers headings. */
const asAttachment = (block: Block): Block => {
  const copy: Block & { page?: unknown; box?: unknown } = { ...block }
  delete copy.page
  delete copy.box
  return copy.type === 'heading' ? { ...copy, level: Math.min(6, copy.level + 2) } : copy
}
