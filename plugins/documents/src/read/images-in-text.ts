import { append } from '@sallyport/kit/lists'
import type { Block, DocumentTree, Inline } from '../model/blocks.js'
import { isBlank, isDataUri } from '../model/inlines.js'
import { mapNestedBlocks, imagesIn } from '../model/nested-blocks.js'
import { DocumentProblem } from '../problem.js'
import { isImage } from './detect.js'
import { decodeImage } from '../raster.js'
import type { Ocr } from '../raster.js'
import { blocksOfLines } from './image.js'
import type { Source } from './source.js'

/** Smaller images, in pixels, are ornaments. */
const minSide = 32

/**
 * Adds the text of images after the paragraphs that contain them, once for each image, and removes the images unless
 * they were requested. @throws DocumentProblem
 */
export const withImageText = async <Tree extends DocumentTree>(tree: Tree, source: Source, ocr: Ocr): Promise<Tree> => {
  return { ...tree, blocks: await new ImageReader(source, ocr).blocks(tree.blocks) }
}

class ImageReader {
  private readonly seen = new Set<string>()

  constructor(
    private readonly source: Source,
    private readonly ocr: Ocr,
  ) {}

  async blocks(blocks: readonly Block[]): Promise<Block[]> {
    const result: Block[] = []
    for (const block of blocks) {
      if (block.type !== 'paragraph' && block.type !== 'heading') {
        result.push(await mapNestedBlocks(block, (inner) => this.blocks(inner)))
        continue
      }
      const content = this.source.embedImages ? block.content : withoutData(block.content)
      if (!isBlank(content)) result.push({ ...block, content })
      for (const { url } of imagesIn(block.content)) append(result, await this.textOfImage(url, block.page))
    }
    return result
  }

  private async textOfImage(url: string | undefined, page: number | undefined): Promise<Block[]> {
    const data = /^\s*data:image\/[\w.+-]+;base64,(.*)$/is.exec(url ?? '')?.[1]
    if (url === undefined || data === undefined || this.seen.has(url)) return []
    this.seen.add(url)
    const image = await this.decode(Buffer.from(data, 'base64'))
    if (!image || Math.min(image.width, image.height) < minSide) return []
    const place = page === undefined ? {} : { page }
    return blocksOfLines(await this.ocr(image), 1, 1).flatMap((block): Block[] =>
      block.type === 'paragraph' ? [{ type: 'paragraph', content: block.content, ...place }] : [],
    )
  }

  /** Undefined for damaged images and other formats, so that the text around them is still read. */
  private async decode(bytes: Buffer) {
    if (!isImage(bytes)) return undefined
    try {
      return await decodeImage(bytes, 0, this.source.limits)
    } catch (error) {
      if (error instanceof DocumentProblem) throw error
      return undefined
    }
  }
}

/** Removes embedded images; their alternative texts stay. */
const withoutData = (content: readonly Inline[]): Inline[] =>
  content.flatMap((one): Inline[] => {
    if (one.type === 'link') return [{ ...one, content: withoutData(one.content) }]
    if (one.type !== 'image' || !isDataUri(one.url ?? '')) return [one]
    return one.alt ? [{ type: 'image', alt: one.alt }] : []
  })
