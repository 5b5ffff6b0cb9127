import { append } from '@sallyport/kit/lists'
import sharp from 'sharp'
import { boxAround, edgesOf } from '../geometry.js'
import type { Block, DocumentTree, Page } from '../model/blocks.js'
import { dataUri, text } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import { decodeImage } from '../raster.js'
import type { OcrLine } from '../raster.js'
import { imageProblem } from './detect.js'
import type { Source } from './source.js'

/** Reads the text of an image; each image of a TIFF is a page. */
export const readImage = async ({ bytes, limits, ocr, embedImages }: Source): Promise<DocumentTree> => {
  const { pages = 1, format } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (!/^(png|jpeg|webp|tiff)$/.test(format)) throw new DocumentProblem(imageProblem)
  // of an animated WebP, only the first image is read
  const count = format === 'tiff' ? pages : 1
  if (!ocr && !embedImages)
    throw new DocumentProblem(
      'this is an image: ask for its text to be read (enableOCR), or for the image itself (embedImages)',
    )
  const max = ocr ? Math.min(limits.pages, limits.ocrPages) : limits.pages
  if (count > max) throw new DocumentProblem(`it has ${count} images, and at most ${max} are read: split it`)
  const blocks: Block[] = []
  const sizes: Page[] = []
  for (let page = 0; page < count; page++) {
    const raster = await decodeImage(bytes, page, limits)
    sizes.push({ number: page + 1, width: raster.width, height: raster.height })
    if (embedImages) blocks.push(await embeddedImage(bytes, page, format))
    if (ocr) append(blocks, blocksOfLines(await ocr(raster), page + 1, 1))
  }
  return { blocks, pages: sizes }
}

/** The image as a data URI; a TIFF is converted to PNG, because browsers do not show it. */
const embeddedImage = async (bytes: Uint8Array, page: number, format: string): Promise<Block> => {
  const toPng = () => sharp(bytes, { page, limitInputPixels: false }).png().toBuffer()
  const url = format === 'tiff' ? dataUri('image/png', await toPng()) : dataUri(`image/${format}`, bytes)
  return { type: 'paragraph', content: [{ type: 'image', alt: '', url }], page: page + 1 }
}

/** Groups lines that are close to each other into paragraphs. @param scale converts pixels to points */
export const blocksOfLines = (lines: readonly OcrLine[], page: number, scale: number): Block[] => {
  const groups: OcrLine[][] = []
  for (const line of lines) {
    if (line.text.trim() === '') continue
    const last = groups.at(-1)
    if (last && isSameParagraph(last, line)) last.push(line)
    else groups.push([line])
  }
  return groups.map((group) => {
    const edges = group.map((line) => edgesOf(line.box))
    return {
      type: 'paragraph',
      content: [text(joinLines(group.map((line) => line.text.trim())))],
      page,
      box: boxAround(edges, scale),
    }
  })
}

const isSameParagraph = (above: readonly OcrLine[], { box }: OcrLine): boolean => {
  const last = above.at(-1)?.box
  if (!last) return false
  const height = Math.min(last.height, box.height)
  const gap = box.top - (last.top + last.height)
  const isSameSize = Math.max(last.height, box.height) < 1.6 * height
  const overlap = Math.min(last.left + last.width, box.left + box.width) - Math.max(last.left, box.left)
  return isSameSize && gap > -0.7 * height && gap < 0.9 * height && overlap > 0
}

/** Joins lines, and words that were hyphenated at the end of a line. */
const joinLines = (lines: readonly string[]): string =>
  lines.reduce((joined, line) => {
    if (joined === '') return line
    return /\p{Ll}-$/u.test(joined) && /^\p{Ll}/u.test(line) ? joined.slice(0, -1) + line : `${joined}\n${line}`
  }, '')
