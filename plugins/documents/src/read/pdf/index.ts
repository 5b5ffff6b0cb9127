import { append } from '@sallyport/kit/lists'
import sharp from 'sharp'
import { meaningfulTitle } from '../../container/package.js'
import { boundsOf, boxAround, edgesOf } from '../../geometry.js'
import type { Block, DocumentTree, Page } from '../../model/blocks.js'
import { dataUri, simpleTable } from '../../model/inlines.js'
import { withLists } from '../../model/lists.js'
import type { ListEntry } from '../../model/lists.js'
import { headingTitle } from '../../model/nested-blocks.js'
import { DocumentProblem, asOwnFailure } from '../../problem.js'
import type { Ocr } from '../../raster.js'
import { blocksOfLines } from '../image.js'
import type { Source } from '../source.js'
import { PdfDocument } from './document.js'
import { fontSizesOf } from './font-sizes.js'
import type { FontSizes } from './font-sizes.js'
import { regionsOf } from './order.js'
import type { Region } from './order.js'
import { PdfPage } from './page.js'
import type { Character } from './page.js'
import { contentOf, paragraphsOf } from './paragraphs.js'
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
  /** The images, and the text on them. */
  readonly images: readonly Block[]
}

/** Memory beside the file for the objects of a page: enough for some hundred thousand. */
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
    const fonts = fontSizesOf(pages.flatMap(({ regions }) => regions.flat(2)))
    const blocks = pages.flatMap((page) => blocksOf(page, fonts))
    const title = meaningfulTitle(document.title) ?? headingTitle(blocks)
    return { ...(title && { title }), blocks, pages: pages.map(({ size }) => size) }
  } finally {
    document.close()
  }
}

class PagesReader {
  private needsOcr = false

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
    const isBlank = pages.every(({ regions, images }) => regions.length === 0 && images.length === 0)
    if (isBlank && this.needsOcr && !this.source.ocr) throw new DocumentProblem(scannedProblem)
    return pages
  }

  private async page(page: PdfPage, number: number): Promise<PageText> {
    const characters = page.characters()
    const segments = segmentsOf(
      characters.filter(({ rotated }) => !rotated),
      page.links(),
    )
    const needsOcr = segments.length === 0 && !page.isEmpty
    this.needsOcr ||= needsOcr
    const { embedImages, ocr } = this.source
    const images = embedImages ? await imagesOf(page, number) : []
    if (needsOcr && ocr) append(images, await this.readImage(page, number, ocr))
    const size = { number, width: page.width, height: page.height }
    return { size, regions: [...regionsOf(segments), ...rotatedRegion(characters)], images }
  }

  private async readImage(page: PdfPage, number: number, ocr: Ocr): Promise<Block[]> {
    const area = page.width * page.height
    if (!(area > 0)) return []
    const scale = Math.min(
      dotsPerInch / 72,
      Math.sqrt(this.source.limits.pixels / area),
      16_000 / Math.max(page.width, page.height),
    )
    return blocksOfLines(await ocr(page.render(scale)), number, 1 / scale)
  }
}

/** A region of vertical text, which comes after the rest of the page. */
const rotatedRegion = (characters: readonly Character[]): Region[] => {
  const rotated = characters.filter((one) => one.rotated)
  const joined = rotated.map(({ text }) => text).join('')
  const line = joined.replace(/\s+/g, ' ').trim()
  if (line === '') return []
  const edges = boundsOf(rotated.map(({ box }) => edgesOf(box)))
  const runs = [{ text: line, bold: false, url: undefined }]
  return [[[{ ...edges, size: rotated[0]?.size ?? 1, bold: false, runs }]]]
}

const blocksOf = ({ size, regions, images }: PageText, fonts: FontSizes): Block[] => {
  const page = size.number
  const sequence = regions.flatMap((region) =>
    withTables(region).flatMap((part): (Block | ListEntry)[] =>
      part.type === 'lines' ? paragraphsOf(part.lines, fonts, page) : [tableBlock(part.rows, page)],
    ),
  )
  return [...withLists(sequence), ...images].map((block) => ({ page, ...block }))
}

const tableBlock = (rows: readonly (readonly Segment[][])[], page: number): Block => ({
  ...simpleTable(rows.map((row) => row.map(contentOf))),
  page,
  box: boxAround(rows.flat(2)),
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
    const url = dataUri('image/png', await sharp(swapped, { raw }).png().toBuffer())
    blocks.push({ type: 'paragraph', content: [{ type: 'image', alt: '', url }], page: number, box })
  }
  return blocks
}

const swapRedAndBlue = (data: Uint8Array, channels: number): Uint8Array => {
  for (let at = 0; at < data.length; at += channels) [data[at], data[at + 2]] = [data[at + 2] ?? 0, data[at] ?? 0]
  return data
}
