/** Converts results of calls to text. */

import { isRecord } from '@sallyport/kit/json'
import { firstBytes } from '@sallyport/kit/text'
import type { ToolCallResult } from '@sallyport/core'
import { cleanLine, cleanText } from './text.js'

/** Characters of raw output to read per byte of the limit, before invisible characters are removed. */
const rawRatio = 1.25

/** Each part is checked by itself; the parts beyond the limit are joined into one. */
const maxParts = 64

/**
 * The texts of a result, with a line in brackets for each other kind of content; the structured result as JSON where
 * there is no text.
 * @param result of `tools/call`
 * @param max bytes of UTF-8, including the note that the text was cut
 */
export const outputOf = (result: Readonly<Record<string, unknown>>, max: number): ToolCallResult => {
  const content = Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const raw = Math.floor(rawRatio * max)
  const parts = firstTexts(content, raw)
  const structured = result['structuredContent']
  if (!content.some(isText) && structured !== undefined) parts.push(jsonOf(structured))
  const output = cutToBytes(
    max,
    limitParts(withRowsOfNumbers(parts)).map((part) => cleanText(part.slice(0, raw))),
  )
  if (result['isError'] !== true) return { output }
  return { output: output.length ? output : 'the tool failed and does not say why', error: true }
}

/**
 * Joins adjacent parts that are numbers, with line breaks between them: detectors join parts, and of lists of ids without
 * line breaks, one in ten would seem to hold a card number. Numbers that are split over lines are still found.
 */
const withRowsOfNumbers = (parts: readonly string[]): readonly string[] => {
  const joined: string[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last !== undefined && isNumber.test(lastLineOf(last)) && isNumber.test(firstLineOf(part)))
      joined.splice(-1, 1, `${last}\n${part}`)
    else joined.push(part)
  }
  return joined
}

/** Digits and punctuation, without letters, which could belong to an address. */
const isNumber = /^[\s\d.,:;+()#/-]*\d[\s\d.,:;+()#/-]*$/
const lineLength = 64
const lastLineOf = (text: string): string => text.trimEnd().slice(-lineLength).split('\n').at(-1) ?? ''
const firstLineOf = (text: string): string => text.trimStart().slice(0, lineLength).split('\n')[0] ?? ''

const limitParts = (parts: readonly string[]): readonly string[] =>
  parts.length <= maxParts ? parts : [...parts.slice(0, maxParts - 1), parts.slice(maxParts - 1).join('\n')]

/** Cuts the parts to a number of bytes in total; a single part becomes a string. */
const cutToBytes = (max: number, parts: readonly string[]): string | string[] => {
  const whole = parts.join('\n')
  if (firstBytes(whole, max) === whole) return oneOrMore(parts)
  const end = `\n[cut: this was longer than ${max} bytes]`
  let left = firstBytes(whole, max - end.length).length
  const kept: string[] = []
  for (const part of parts) {
    if (left < 0) break
    kept.push(part.slice(0, left))
    left -= part.length + 1
  }
  return oneOrMore([...kept.slice(0, -1), `${kept.at(-1) ?? ''}${end}`])
}

const oneOrMore = (parts: readonly string[]): string | string[] => (parts.length > 1 ? [...parts] : (parts[0] ?? ''))

/** The texts of the first items, until they have so many characters. */
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
  if (type === 'image' || type === 'audio') return note(type, item['mimeType'], sizeOf(item['data']))
  if (type === 'resource') return embeddedResource(isRecord(item['resource']) ? item['resource'] : {})
  if (type === 'resource_link') return note('link to a resource', item['uri'], item['name'], item['mimeType'])
  return note('content of an unknown kind', type)
}

/** The text of an embedded resource, or a note that describes it. */
const embeddedResource = ({ uri, mimeType, text, blob }: Readonly<Record<string, unknown>>): string =>
  typeof text === 'string'
    ? `${note('resource', uri, mimeType)}\n${text}`
    : note('resource', uri, mimeType, sizeOf(blob))

const note = (...about: unknown[]): string =>
  `[${about
    .map(stringOf)
    .filter(Boolean)
    .map((text) => cleanLine(text, 500))
    .filter(Boolean)
    .join(', ')}]`

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The size of base64 data, in words. */
const sizeOf = (data: unknown): string => (typeof data === 'string' ? `${Buffer.byteLength(data, 'base64')} bytes` : '')

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value)
  } catch {
    // the value is nested too deeply for the stack
    return '[content of an unknown kind]'
  }
}
