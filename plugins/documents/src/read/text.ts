import { elementsOf, parseXml, xmlText } from '../container/xml.js'
import type { XmlElement } from '../container/xml.js'
import { occurrences, xmlElementsIn } from '../element-budget.js'
import type { ElementBudget } from '../element-budget.js'
import type { Block, DocumentTree } from '../model/blocks.js'
import { paragraph, text } from '../model/inlines.js'
import { DocumentProblem } from '../problem.js'
import { csvTable } from './csv.js'
import { decodeText } from './decode-text.js'
import { looksLikeEmail, readEmail } from './eml.js'
import { htmlTree, readHtml } from './html/index.js'
import { beginsAsHtml, hasHtml } from './html/detect-html.js'
import { markdownTree } from './markdown.js'
import { isMarkdown, plainTree } from './plain.js'
import type { Reader } from './source.js'

const unknownFormat =
  'this is no document of a format that can be read: send docx, xlsx, pptx, odt, ods, odp, pdf, html, eml, msg, rtf, ' +
  'epub, csv, md, txt, json, xml, vtt, png, jpeg, webp or tiff'

/** Reads text files; the kind of text is detected by its content. */
export const readText: Reader = (source) => {
  const content = decodeText(source.bytes)
  if (content === undefined) throw new DocumentProblem(unknownFormat)
  // trimming removes a byte order mark, too
  const start = content.slice(0, 4096).trimStart()
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
  if (isMarkdown(content)) return markdownTree(content, source)
  if (/^<[a-z][\w-]*[\s>]/i.test(start)) return htmlTree(content, source)
  const table = csvTable(content, elements)
  if (table) return table
  return hasHtml(content) ? readHtml(source) : plainTree(content, elements)
}

/** Values of JSON that count as one element, because they are parsed but not kept. */
const jsonValues = 4

/** @throws DocumentProblem where it has too many values to be parsed */
const isJson = (text: string, elements: ElementBudget): boolean =>
  elements.attempt(Math.ceil(occurrences(text, '{[,') / jsonValues), () => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return undefined
    }
  }) ?? false

const timing = /^(?:\d+:)?\d+:\d+[.,]\d+\s+-->/

/** Reads WebVTT: a paragraph for each cue, with its speaker's name first, without times. */
const vttTree = (source: string): DocumentTree => {
  const [head = '', ...parts] = source.split(/\n[ \t]*\n/)
  const title = /^\ufeff?WEBVTT[ \t]+(?:-[ \t]*)?(\S.*)$/m.exec(head.split('\n')[0] ?? '')?.[1]?.trim()
  const blocks = parts.flatMap((part): Block[] => {
    const lines = part.split('\n')
    const at = lines.findIndex((line) => timing.test(line))
    const speech =
      at < 0
        ? []
        : lines
            .slice(at + 1)
            .map(cueText)
            .filter(Boolean)
    return speech.length ? [paragraph([text(speech.join('\n'))])] : []
  })
  return { ...(title && { title }), blocks }
}

const cueEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' }

const cueText = (line: string): string =>
  line
    .replace(/<v(?:\.[^ >]*)?[ \t]+([^>]+)>/g, '$1: ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(\w+);/g, (whole, name: string) => cueEntities[name] ?? whole)
    .trim()

/**
 * Reads XML: each element with text of its own becomes a paragraph, including its children; undefined where the XML is
 * not well-formed.
 * @throws DocumentProblem
 */
const xmlTree = (source: string, elements: ElementBudget): DocumentTree | undefined => {
  const root = elements.attempt(xmlElementsIn(source), () => parseWellFormed(source))
  if (!root) return undefined
  const blocks: Block[] = []
  const visit = (element: XmlElement): void => {
    const hasText = element.children.some((child) => typeof child === 'string' && child.trim() !== '')
    if (hasText) blocks.push(paragraph([text(xmlText(element).trim())]))
    else for (const child of elementsOf(element)) visit(child)
  }
  visit(root)
  return { blocks }
}

const parseWellFormed = (source: string): XmlElement | undefined => {
  try {
    return parseXml(source)
  } catch (error) {
    if (error instanceof DocumentProblem) throw error
    return undefined
  }
}
