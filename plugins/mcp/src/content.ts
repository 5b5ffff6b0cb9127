/** Converts results of calls to text. */

import { isRecord } from '@sallyport/kit/json'
import { firstBytes } from '@sallyport/kit/text'
import type { ToolCallResult } from '@sallyport/core'
import { cleanLine, cleanText } from './text.js'

/** Characters of raw output that are read per byte of the limit; more than one, because invisible ones are removed. */
const rawRatio = 1.25

/** The maximum number of parts, since each is one more text to check; further ones are joined to the last. */
const maxParts = 64

/**
 * The texts of a result, with a line in brackets for each item of another kind; the structured result as JSON where
 * there is no text.
 * @param result of `tools/call`
 * @param max bytes of UTF-8, including the note that the output was truncated
 */
export const outputOf = (result: Readonly<Record<string, unknown>>, max: number): ToolCallResult => {
  const content = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const raw = Math.floor(rawRatio * max)
  const parts = firstTexts(content, raw)
  const leftOut = parts.length < content.length
  const structured = result['structuredContent']
  if (!content.some(isText) && structured !== undefined) parts.push(jsonOf(structured))
  const joined = limitParts(joinAtNumericLines(parts))
  const isCut = leftOut || joined.some((part) => part.length > raw)
  const output = truncateToBytes(
    max,
    joined.map((part) => cleanText(part.slice(0, raw))),
    isCut,
  )
  if (result['isError'] !== true) return { output }
  return { output: output.length ? output : 'the tool failed and does not say why', error: true }
}

/**
 * Joins adjacent parts where the one ends and the other begins with a numeric line, with a line break between them.
 * Detectors also read adjacent parts as one text without line breaks, where ids in a row may look like a card number.
 */
const joinAtNumericLines = (parts: readonly string[]): readonly string[] => {
  const joined: string[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && numericLine.test(lastLineOf(last)) && numericLine.test(firstLineOf(part)))
      joined.splice(-1, 1, `${last}\n${part}`)
    else joined.push(part)
  }
  return joined
}

/** A line of digits and punctuation. With letters it could be part of a postal address. */
const numericLine = /^[\s\d.,:;+()#/-]*\d[\s\d.,:;+()#/-]*$/
const lineLength = 64
const lastLineOf = (text: string): string => text.trimEnd().slice(-lineLength).split('\n').at(-1) ?? ''
const firstLineOf = (text: string): string => text.trimStart().slice(0, lineLength).split('\n')[0] ?? ''

const limitParts = (parts: readonly string[]): readonly string[] =>
  parts.length <= maxParts ? parts : [...parts.slice(0, maxParts - 1), parts.slice(maxParts - 1).join('\n')]

/**
 * Truncates the parts to `max` bytes in total; a single part becomes a string.
 * @param isCut whether something is missing already
 */
const truncateToBytes = (max: number, parts: readonly string[], isCut: boolean): string | string[] => {
  const all = parts.join('\n')
  if (!isCut && firstBytes(all, max) === all) return oneOrMore(parts)
  const note = `\n[truncated: the output was longer than ${max} bytes]`
  let left = firstBytes(all, max - note.length).length
  const kept: string[] = []
  for (const part of parts) {
    if (left < 0) break
    kept.push(part.slice(0, left))
    left -= part.length + 1
  }
  return oneOrMore([...kept.slice(0, -1), `${kept.at(-1) ?? ''}${note}`])
}

const oneOrMore = (parts: readonly string[]): string | string[] => (parts.length > 1 ? [...parts] : (parts[0] ?? ''))

/** The texts of the first items, until together they exceed `characters`. */
const firstTexts = (content: readonly unknown[], characters: number): string[] => {
  const texts: string[] = []
  let length = 0
  for (const item of content) {
    if (length > characters) break
    const text = textOf(item)
    length += text.length + 1
    texts.push(text)
  }
  return texts
}

const isText = (item: unknown): boolean => isRecord(item) && item['type'] === 'text'

const textOf = (item: unknown): string => {
  if (!isRecord(item)) return '[content of an unknown kind]'
  const { type } = item
  if (type === 'text') return stringOf(item['text'])
  if (type === 'image' || type === 'audio') return bracketed(type, item['mimeType'], sizeOf(item['data']))
  if (type === 'resource') return embeddedResource(isRecord(item['resource']) ? item['resource'] : {})
  if (type === 'resource_link') return bracketed('link to a resource', item['uri'], item['name'], item['mimeType'])
  return bracketed('content of an unknown kind', type)
}

/** The text of an embedded resource, or a note that describes it. */
const embeddedResource = ({ uri, mimeType, text, blob }: Readonly<Record<string, unknown>>): string =>
  typeof text === 'string'
    ? `${bracketed('resource', uri, mimeType)}\n${text}`
    : bracketed('resource', uri, mimeType, sizeOf(blob))

const bracketed = (...about: unknown[]): string =>
  `[${about
    .map(stringOf)
    .filter(Boolean)
    .map((text) => cleanLine(text, 500))
    .filter(Boolean)
    .join(', ')}]`

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The size that base64 data have when they are decoded, such as `512 bytes`. */
const sizeOf = (data: unknown): string => (typeof data === 'string' ? `${Buffer.byteLength(data, 'base64')} bytes` : '')

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    return '[structured result: nested too deeply]'
  }
}
