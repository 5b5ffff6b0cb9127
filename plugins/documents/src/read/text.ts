import { occurrences } from '../elements.js'
import type { ElementCount } from '../elements.js'
import { DocumentProblem } from '../problem.js'
import { csvTable } from './csv.js'
import { isDataUrl } from './data-url.js'
import { decodeText } from './decode-text.js'
import { readEmail } from './eml.js'
import { looksLikeEmail } from './email-head.js'
import { htmlTree, readHtml } from './html/index.js'
import { beginsAsHtml, hasHtml } from './html/looks.js'
import { markdownTree } from './markdown.js'
import { isMarkdown, plainTree } from './plain.js'
import type { Reader } from './source.js'
import { vttTree } from './vtt.js'
import { xmlTree } from './xml.js'

const unknown =
  'this is no document of a format that can be read: send docx, xlsx, pptx, odt, ods, odp, pdf, html, eml, msg, rtf, ' +
  'epub, csv, md, txt, json, xml, vtt, png, jpeg, webp or tiff'

/** What is text and has no other sign: the kind is told by how it reads. */
export const readText: Reader = (source) => {
  const content = decodeText(source.bytes)
  if (content === undefined) throw new DocumentProblem(unknown)
  const start = content
    .slice(0, 4096)
    .replace(/^\ufeff/, '')
    .trimStart()
  const { elements } = source
  if (/^WEBVTT(?:[ \t\n]|$)/.test(start)) {
    elements.add(occurrences(content, '\n'))
    return vttTree(content)
  }
  if (beginsAsHtml(start)) return readHtml(source)
  if (start.startsWith('<')) {
    const tree = xmlTree(content.trim(), elements)
    if (tree) return tree
    if (/^<\?xml/.test(start)) throw new DocumentProblem('this XML is not well-formed, or cut off: correct it')
  }
  if (/^[[{]/.test(start) && isJson(content, elements))
    return { blocks: [{ type: 'code', language: 'json', text: content.trim() }] }
  if (looksLikeEmail(start)) return readEmail(source)
  const pictureUrl = (url: string) => (source.embedImages || !isDataUrl(url) ? url : undefined)
  if (isMarkdown(content)) return markdownTree(content, { elements, pictureUrl })
  if (/^<[a-z][\w-]*[\s>]/i.test(start)) return htmlTree(content, { elements, pictureUrl })
  const table = csvTable(content, elements)
  if (table) return table
  if (hasHtml(content)) return readHtml(source)
  return plainTree(content, elements)
}

/** Values of JSON that cost as much as an element: they are looked at, and not kept. */
const jsonValues = 4

/** @throws DocumentProblem where it has too many values to find out */
const isJson = (text: string, elements: ElementCount): boolean =>
  elements.attempt(Math.ceil(occurrences(text, '{[,') / jsonValues), () => parses(text) || undefined) ?? false

const parses = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
