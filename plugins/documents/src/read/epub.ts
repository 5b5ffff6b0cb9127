import { meaningfulTitle, parsedPart, imageUri, resolvePart } from '../container/package.js'
import { child, childrenNamed, descendants, xmlText } from '../container/xml.js'
import type { Zip } from '../container/zip.js'
import type { ElementBudget } from '../element-budget.js'
import type { DocumentTree } from '../model/blocks.js'
import { headingTitle } from '../model/nested-blocks.js'
import { DocumentProblem } from '../problem.js'
import { isDataUrl } from '../model/inlines.js'
import { decodeText } from './decode-text.js'
import { htmlBlocks } from './html/index.js'
import type { PackedReader } from './source.js'

/** Reads the chapters of a book in the order of its spine. */
export const readEpub: PackedReader = ({ elements, embedImages }, zip): DocumentTree => {
  const container = parsedPart(zip, 'META-INF/container.xml')
  const main = container && descendants(container, 'rootfile')[0]?.attributes['full-path']
  const book = main === undefined ? undefined : parsedPart(zip, main)
  if (!book || main === undefined)
    throw new DocumentProblem('its list of contents is missing: save or download it again')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const items = new Map(
    childrenNamed(child(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'] ?? '', attributes]),
  )
  const chapters = childrenNamed(child(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const item = items.get(attributes['idref'] ?? '')
    const isText = /html|xml/.test(item?.['media-type'] ?? '')
    return item?.['href'] && isText && !/\bnav\b/.test(item['properties'] ?? '')
      ? [resolvePart(folder, decoded(item['href']))]
      : []
  })
  const blocks = chapters.flatMap((chapter) => chapterBlocks(zip, chapter, elements, embedImages))
  const title = meaningfulTitle(xmlText(child(book, 'metadata', 'title'))) ?? headingTitle(blocks)
  return { ...(title && { title }), blocks }
}

const chapterBlocks = (zip: Zip, chapter: string, elements: ElementBudget, embedImages: boolean) => {
  const bytes = zip.read(chapter)
  const html = bytes && decodeText(bytes)
  const folder = chapter.slice(0, chapter.lastIndexOf('/') + 1)
  const imageUrl = (url: string) => {
    if (isDataUrl(url)) return embedImages ? url : undefined
    return embedImages ? imageUri(zip, resolvePart(folder, decoded(url))) : undefined
  }
  return html === undefined ? [] : htmlBlocks(html, { elements, imageUrl })
}

const decoded = (address: string): string => {
  const [path = ''] = address.split('#')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
