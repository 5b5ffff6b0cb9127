import { createHash } from 'node:crypto'
import { append } from '@sallyport/kit/lists'
import type { WireBody } from '../wire/generation.js'

/** The maximum number of characters that are logged of an error text. */
const maxText = 300
/** A run of at least this many characters that also occurs in the request counts as a quotation. */
const minQuotation = 8
/** Longer requests are not searched. */
const maxRequest = 256 * 1024

const fieldsWithoutTexts: ReadonlySet<string> = new Set(['model', 'role', 'type', 'tool_choice', 'reasoning_effort'])

/**
 * The loggable form of an upstream server's error text: the text itself where it does not quote the request, else its
 * length and digest, which distinguish errors.
 */
export const loggableText = (text: string, request: WireBody): string => {
  const line = text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, maxText)
  const requested = textsIn(request).join('\n').replace(/\s+/g, ' ').toLowerCase()
  if (requested.length <= maxRequest && !quotes(line.toLowerCase(), requested)) return line
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `[${text.length} characters, sha256 ${digest}: it may quote the request]`
}

const quotes = (line: string, requested: string): boolean => {
  for (let start = 0; start + minQuotation <= line.length; start += 1)
    if (requested.includes(line.slice(start, start + minQuotation))) return true
  return false
}

/** All strings in a request that people or models wrote. */
const textsIn = (value: unknown): string[] => {
  const texts: string[] = []
  const open: unknown[] = [value]
  while (open.length) {
    const next = open.pop()
    if (typeof next === 'string') texts.push(next)
    else if (Array.isArray(next)) append(open, next as unknown[])
    else if (typeof next === 'object' && next !== null)
      for (const [key, inner] of Object.entries(next)) if (!fieldsWithoutTexts.has(key)) open.push(inner)
  }
  return texts
}
