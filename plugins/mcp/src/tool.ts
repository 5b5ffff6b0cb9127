/** Tools as servers list them. */

import { createHash } from 'node:crypto'
import { canonicalJson, isRecord } from '@sallyport/kit/json'
import type { Tool } from '@sallyport/core'
import { cleanLine, cleanText } from './text.js'

/** A tool with a hash of its definition. */
export interface ListedTool extends Tool {
  /** SHA-256 in hex over name, title, description, schema and annotations. */
  readonly hash: string
}

/** The names that revision 2025-11-25 recommends, and those with `/`, as a draft of it allowed; never `__proto__`. */
const plainName = /^(?!__proto__$)[\w./-]{1,128}$/
const maxDepth = 64

/** @returns undefined where the name, the schema or the annotations are invalid */
export const listedTool = (value: unknown): ListedTool | undefined => {
  if (!isRecord(value)) return undefined
  const { name, title, description, inputSchema, annotations } = value
  if (typeof name !== 'string' || !plainName.test(name)) return undefined
  if (!isRecord(inputSchema) || !isPlain([inputSchema, annotations], maxDepth)) return undefined
  const displayTitle = title ?? (isRecord(annotations) ? annotations['title'] : undefined)
  return {
    name,
    ...(typeof displayTitle === 'string' && { title: cleanLine(displayTitle, 200) }),
    ...(typeof description === 'string' && { description: cleanText(description) }),
    parameters: cleaned(inputSchema),
    hash: hashOf({ name, title, description, inputSchema, annotations }),
  }
}

/** A copy for callers, without the hash. */
export const toTool = ({ hash: _, ...tool }: ListedTool): Tool => structuredClone(tool)

/** Whether the value is not nested too deeply, and {@link cleanText} changes none of its keys. */
const isPlain = (value: unknown, depth: number): boolean => {
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth - 1))
  if (!isRecord(value)) return true
  return Object.entries(value).every(([key, item]) => cleanText(key) === key && isPlain(item, depth - 1))
}

const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cleaned(item)]))
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')
