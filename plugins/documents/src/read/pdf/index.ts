import sharp from 'sharp'
import { meaningfulTitle } from '../../container/package.js'
import type { Block, Cell, DocumentTree, Page } from '../../model/blocks.js'
import { withLists } from '../../model/lists.js'
import type { ListEntry } from '../../model/lists.js'
import { headingTitle } from '../../model/nested-blocks.js'
import { DocumentProblem, asOwnFailure } from '../../problem.js'
import { blocksOfLines } from '../image.js'
import type { Source } from '../source.js'
import { PdfDocument } from './document.js'
import { fontSizesOf } from './font-sizes.js'
import type { FontSizes } from './font-sizes.js'
import { regionsOf } from './order.js'
import type { Region } from './order.js'
import { PdfPage } from './page.js'
import type { Character } from './page.js'
import { boxOf, contentOf, paragraphsOf } from './paragraphs.js'
import { Pdfium } from './pdfium.js'
import { segmentsOf } from './segments.js'
import type { Segment } from './segments.js'
import { withTables } from './tables.js'

const scannedProblem = 'its pages are images without text: ask for them to be read (enableOCR)'

/** Resolution at which pages are rendered for OCR. */
const dotsPerInch = 200

interface PageText {
  readonly size: Page
  readonly regions: readonly Region[]
  /** Images, and the text that OCR read. */
  readonly others: readonly Block[]
}

/** Memory for the objects of a page, beside the file: enough for some hundred thousand of them. */
const objectMegabytes = 160

/** Memory for each pixel of an image, decoded and rendered. */
const bytesPerPixel = 8

/** Reads the text of the pages; those without text are read by OCR. */
export const readPdf = async (source: Source): Promise<DocumentTree> => {
  const pdfium = await asOwnFailure('PDFium could not be loaded', () => Pdfium.load())
  const { bytes, limits, ocr, embedImages } = source
  const images = ocr || embedImages ? limits.pixels * bytesPerPixel : 0
  const tooMuch = () =>
    new DocumentProblem(
      `one of its pages has too much on it: more objects than fit into ${objectMegabytes} MB are not read. ` +
        'Leave some of it out, or save the page as an image',
    )
  return pdfium.withMemoryLimit(2 * bytes.length + objectMegabytes * 2 ** 20 + images, tooMuch, () =>
    pagesOf(pdfium, source),
  )
}

const pagesOf = async (pdfium: Pdfium, source: Source): Promise<DocumentTree> => {
  const document = PdfDocument.open(pdfium, source.bytes)
  try {
    const { pages: count } = document
    if (count > source.limits.pages)
      throw new DocumentProblem(`it has ${count} pages, and at most ${source.limits.pages} are read: split it`)
    const pages = await new PagesReader(document, source).read(count)
    const looks = fontSizesOf(pages.flatMap(({ regions }) => regions.flat(2)))
    const blocks = pages.flatMap((page) => blocksOf(page, looks))
    const title = meaningfulTitle(document.title) ?? headingTitle(blocks)
    return { ...(title && { title }), blocks, pages: pages.map(({ size }) => size) }
  } finally {
    document.close()
  }
}

class PagesReader {
  private images = 0
  private pagesWithoutText = 0

  constructor(
    private readonly document: PdfDocument,
    private readonly source: Source,
  ) {}

  /** @throws DocumentProblem where the pages are images and OCR was not requested */
  async read(count: number): Promise<PageText[]> {
    const pages: PageText[] = []
    for (let index = 0; index < count; index++) {
      const page = new PdfPage(this.document, index)
      try {
        pages.push(await this.page(page, index + 1))
      } finally {
        page.close()
      }
    }
    const blank = pages.every(({ regions, others }) => regions.length === 0 && others.length === 0)
    if (blank && this.pagesWithoutText > 0 && !this.source.ocr) throw new DocumentProblem(scannedProblem)
    return pages
  }

  private async page(page: PdfPage, number: number): Promise<PageText> {
    const characters = page.characters()
    const segments = segmentsOf(
      characters.filter(({ rotated }) => !rotated),
      page.links(),
    )
    const isBare = segments.length === 0 && !page.isEmpty
    if (isBare) this.pagesWithoutText += 1
    const others = await this.others(page, number, isBare)
    const size = { number, width: page.width, height: page.height }
    return { size, regions: [...regionsOf(segments), ...rotatedRegion(characters)], others }
  }

  private async others(page: PdfPage, number: number, isBare: boolean): Promise<Block[]> {
    const read = isBare && this.source.ocr ? await this.readImage(page, number, this.source.ocr) : []
    return this.source.embedImages ? [...(await imagesOf(page, number)), ...read] : read
  }

  private async readImage(page: PdfPage, number: number, ocr: NonNullable<Source['ocr']>): Promise<Block[]> {
    const { ocrPages, pixels } = this.source.limits
    this.images += 1
    if (this.images > ocrPages)
      throw new DocumentProblem(`more than ${ocrPages} of its pages are images, which takes too long to read: split it`)
    const area = page.width * page.height
    if (!(area > 0)) return []
    const scale = Math.min(dotsPerInch / 72, Math.sqrt(pixels / area), 16_000 / Math.max(page.width, page.height))
    return blocksOfLines(await ocr(page.render(scale)), number, 1 / scale)
  }
}

/** A region of vertical text, which comes after the rest of the page. */
const rotatedRegion = (characters: readonly Character[]): Region[] => {
  const turned = characters.filter((one) => one.rotated)
  if (turned.length === 0) return []
  const words = turned
    .map(({ text }) => text)
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
  const size = turned[0]?.size ?? 1
  const { left, top, width, height } = boxOf(
    turned.map(({ box }) => ({
      left: box.left,
      right: box.left + box.width,
      top: box.top,
      bottom: box.top + box.height,
    })),
  )
  const runs = [{ text: words, bold: false, url: undefined }]
  return words === '' ? [] : [[[{ left, right: left + width, top, bottom: top + height, size, bold: false, runs }]]]
}

const blocksOf = ({ size, regions, others }: PageText, looks: FontSizes): Block[] => {
  const page = size.number
  const sequence = regions.flatMap((region) =>
    withTables(region).flatMap((part): (Block | ListEntry)[] =>
      part.type === 'lines' ? paragraphsOf(part.lines, looks, page) : [tableBlock(part.rows, page)],
    ),
  )
  return [...withLists(sequence), ...others].map((block) => ({ page, ...block }))
}

const tableBlock = (rows: readonly (readonly Segment[][])[], page: number): Block => ({
  type: 'table',
  headers: 1,
  page,
  box: boxOf(rows.flat(2)),
  rows: rows.map((row) =>
    row.map((cell): Cell => ({
      content: cell.length ? [{ type: 'paragraph', content: contentOf(cell) }] : [],
      columns: 1,
      rows: 1,
    })),
  ),
})

/** Smaller images, in points, are ornaments. */
const minSide = 12

const imagesOf = async (page: PdfPage, number: number): Promise<Block[]> => {
  const blocks: Block[] = []
  for (const { handle, box } of page.images()) {
    if (box.width < minSide || box.height < minSide) continue
    const image = page.image(handle)
    if (!image || image.channels === 0) continue
    const { width, height, data, channels } = image
    const raw = { width, height, channels: channels as 1 | 3 | 4 }
    const swapped = channels >= 3 ? swapRedAndBlue(data, channels) : data
    const url = `data:image/png;base64,${(await sharp(swapped, { raw }).png().toBuffer()).toString('base64')}`
    blocks.push({ type: 'paragraph', content: [{ type: 'image', alt: '', url }], page: number, box })
  }
  return blocks
}

const swapRedAndBlue = (data: Uint8Array, channels: number): Uint8Array => {
  for (let at = 0; at < data.length; at += channels) [data[at], data[at + 2]] = [data[at + 2] ?? 0, data[at] ?? 0]
  return data
}
