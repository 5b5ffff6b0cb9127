import { meaningfulTitle, parsedPart, imageUri, resolvePart } from '../container/package.js'
import { child, childrenNamed, descendants, xmlText } from '../container/xml.js'
import type { Zip } from '../container/zip.js'
import type { ElementBudget } from '../element-budget.js'
import type { DocumentTree } from '../model/blocks.js'
import { headingTitle } from '../model/nested-blocks.js'
import { DocumentProblem } from '../problem.js'
import { decodeText } from './decode-text.js'
import { htmlBlocks } from './html/index.js'
import type { ContainerReader } from './source.js'

/** Reads the chapters of a book in the order of its spine. */
export const readEpub: ContainerReader = ({ elements, embedImages }, zip): DocumentTree => {
  const container = parsedPart(zip, 'META-INF/container.xml')
  const main = descendants(container, 'rootfile')[0]?.attributes['full-path'] ?? ''
  const book = parsedPart(zip, main)
  if (!book) throw new DocumentProblem('its list of contents is missing: save or download it again')
  const folder = main.slice(0, main.lastIndexOf('/') + 1)
  const items = new Map(
    childrenNamed(child(book, 'manifest'), 'item').map(({ attributes }) => [attributes['id'] ?? '', attributes]),
  )
  const chapters = childrenNamed(child(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const { href, 'media-type': type = '', properties = '' } = items.get(attributes['idref'] ?? '') ?? {}
    return href && /html|xml/.test(type) && !/\bnav\b/.test(properties) ? [resolvePart(folder, decoded(href))] : []
  })
  const blocks = chapters.flatMap((chapter) => chapterBlocks(zip, chapter, elements, embedImages))
  const title = meaningfulTitle(xmlText(child(book, 'metadata', 'title'))) ?? headingTitle(blocks)
  return { ...(title && { title }), blocks }
}

const chapterBlocks = (zip: Zip, chapter: string, elements: ElementBudget, embedImages: boolean) => {
  const bytes = zip.read(chapter)
  const html = bytes && decodeText(bytes)
  const folder = chapter.slice(0, chapter.lastIndexOf('/') + 1)
  const imageUrl = (url: string) => (embedImages ? imageUri(zip, resolvePart(folder, decoded(url))) : undefined)
  return html === undefined ? [] : htmlBlocks(html, { elements, embedImages, imageUrl })
}

const decoded = (address: string): string => {
  const [path = ''] = address.split('#')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
