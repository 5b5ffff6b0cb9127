import { append } from '@sallyport/kit/lists'
import type { Block, DocumentTree, Inline } from '../model/blocks.js'
import { isBlank, isDataUrl } from '../model/inlines.js'
import { mapWithin, imagesIn } from '../model/within.js'
import { DocumentProblem } from '../problem.js'
import { isImage } from './detect.js'
import { rasterOf } from '../raster.js'
import { blocksOfLines } from './image.js'
import type { Source } from './source.js'

/** Pixels of either side: what is smaller is an ornament. */
const smallest = 32

type Ocr = NonNullable<Source['ocr']>

/**
 * What is written in the images of a document stands behind the paragraphs that have them, once for each image. The
 * images themselves go where nobody asked for them. @throws DocumentProblem
 */
export const withReadImages = async <Tree extends DocumentTree>(
  tree: Tree,
  source: Source,
  ocr: Ocr,
): Promise<Tree> => ({
  ...tree,
  blocks: await new ImageReader(source, ocr).blocks(tree.blocks),
})

class ImageReader {
  private readonly seen = new Set<string>()
  private count = 0

  constructor(
    private readonly source: Source,
    private readonly ocr: Ocr,
  ) {}

  async blocks(blocks: readonly Block[]): Promise<Block[]> {
    const result: Block[] = []
    for (const block of blocks) {
      if (block.type !== 'paragraph' && block.type !== 'heading') {
        result.push(await mapWithin(block, (inner) => this.blocks(inner)))
        continue
      }
      const content = this.source.embedImages ? block.content : withoutData(block.content)
      if (!isBlank(content)) result.push({ ...block, content })
      for (const { url } of imagesIn(block.content)) append(result, await this.written(url, block.page))
    }
    return result
  }

  private async written(url: string | undefined, page: number | undefined): Promise<Block[]> {
    const data = /^\s*data:image\/[\w.+-]+;base64,(.*)$/is.exec(url ?? '')?.[1]
    if (url === undefined || data === undefined || this.seen.has(url)) return []
    this.seen.add(url)
    const image = await this.decoded(Buffer.from(data, 'base64'))
    if (!image || Math.min(image.width, image.height) < smallest) return []
    const { ocrPages } = this.source.limits
    this.count += 1
    if (this.count > ocrPages)
      throw new DocumentProblem(`it has more than ${ocrPages} images, which takes too long to read: split it`)
    const place = page === undefined ? {} : { page }
    return blocksOfLines(await this.ocr(image), 1, 1).flatMap((block): Block[] =>
      block.type === 'paragraph' ? [{ type: 'paragraph', content: block.content, ...place }] : [],
    )
  }

  /** Undefined for what is damaged, or of a format that is not read: the text around it is. */
  private async decoded(bytes: Buffer) {
    if (!isImage(bytes)) return undefined
    try {
      return await rasterOf(bytes, 0, this.source.limits)
    } catch (error) {
      if (error instanceof DocumentProblem) throw error
      return undefined
    }
  }
}

/** Without images of which nothing would be left. */
const withoutData = (content: readonly Inline[]): Inline[] =>
  content.flatMap((one): Inline[] => {
    if (one.type === 'link') return [{ ...one, content: withoutData(one.content) }]
    if (one.type !== 'image' || !isDataUrl(one.url ?? '')) return [one]
    return one.alt ? [{ type: 'image', alt: one.alt }] : []
  })
