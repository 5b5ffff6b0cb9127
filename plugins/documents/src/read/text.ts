import { DocumentProblem } from '../problem.js'
import { csvTable } from './csv.js'
import { isDataUrl } from './data-url.js'
import { decodeText } from './decode-text.js'
import { readEmail } from './eml.js'
import { looksLikeEmail } from './email-head.js'
import { htmlTree, readHtml } from './html/index.js'
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
  if (/^WEBVTT(?:[ \t\n]|$)/.test(start)) return vttTree(content)
  if (looksLikeHtml(start)) return readHtml(source)
  if (start.startsWith('<')) {
    const tree = xmlTree(content.trim())
    if (tree) return tree
    if (/^<\?xml/.test(start)) throw new DocumentProblem('this XML is not well-formed, or cut off: correct it')
  }
  if (/^[[{]/.test(start) && isJson(content))
    return { blocks: [{ type: 'code', language: 'json', text: content.trim() }] }
  if (looksLikeEmail(start)) return readEmail(source)
  const pictureUrl = (url: string) => (source.embedImages || !isDataUrl(url) ? url : undefined)
  if (isMarkdown(content)) return markdownTree(content, { pictureUrl })
  if (/^<[a-z][\w-]*[\s>]/i.test(start)) return htmlTree(content, { pictureUrl })
  return csvTable(content) ?? plainTree(content)
}

const looksLikeHtml = (start: string): boolean =>
  /^(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*(?:<!doctype\s+html|<html[\s>])/i.test(start) ||
  /^<(?:head|body|title|meta|h[1-6]|p|div|span|table|ul|ol|a|br|section|article|main|header)\b[^>]*>/i.test(start)

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
