/** What stands behind a label in brackets: `(destination "title")`, `: destination`. */

import { maxLengths } from './constructs.js'
import type { End } from './constructs.js'

export interface Inline extends End {
  readonly address: string
}

const title = /^\s+["'(]/
const blankLine = /^\n[ \t\r]*\n/

/**
 * From the opening parenthesis on. Renderers differ in what they take for a destination, so it is all that stands up to
 * the parenthesis that closes it, without a title. Undefined where a paragraph ends before that.
 */
export const inlineAt = (text: string, open: number): Inline | undefined => {
  const most = Math.min(text.length, open + maxLengths.destination)
  const { end, isParagraphsEnd } = closingAfter(text, open, most)
  if (end !== undefined) return { end, isOpen: false, address: addressIn(text.slice(open + 1, end - 1)) }
  if (isParagraphsEnd) return undefined
  return { end: most, isOpen: most === text.length, address: addressIn(text.slice(open + 1, most)) }
}

/** Labels inside that end in a destination: behind more of them, this is none, and each is looked at by itself. */
const maxLabels = 8

/** Parentheses in a title, which begins behind a blank, count only where its quote does not end. */
const closingAfter = (text: string, open: number, most: number) => {
  let [depth, quote, labels] = [0, '', 0]
  let inQuote: number | undefined
  for (let at = open; at < most; at += 1) {
    const sign = text[at] ?? ''
    if (sign === '\\') at += 1
    else if (sign === '\n' && blankLine.test(text.slice(at, at + 64))) return { end: inQuote, isParagraphsEnd: true }
    else if (quote) {
      if (sign === quote) [quote, inQuote] = ['', undefined]
      else if (sign === ')') inQuote ??= at + 1
    } else if (sign === '<' && text.slice(open + 1, at).trim() === '') quote = '>'
    else if (/["']/.test(sign) && /\s/.test(text[at - 1] ?? '')) quote = sign
    else if (sign === '(') {
      depth += 1
      if (text[at - 1] === ']' && (labels += 1) > maxLabels) return { end: inQuote, isParagraphsEnd: true }
    } else if (sign === ')' && (depth -= 1) === 0) return { end: at + 1, isParagraphsEnd: false }
  }
  return { end: most < text.length ? inQuote : undefined, isParagraphsEnd: false }
}

/** `<destination>`, or what stands before a title; behind the marks of a quotation where a line begins with it. */
const addressIn = (inside: string): string => {
  const trimmed = inside.replace(/^\s*\n[ \t>]*/, '').trim()
  if (trimmed.startsWith('<')) return trimmed.slice(1).split('>')[0] ?? ''
  const blank = /\s/.exec(trimmed)?.index ?? trimmed.length
  return title.test(trimmed.slice(blank)) ? trimmed.slice(0, blank) : trimmed
}

const definition = /[ \t]{0,64}(?:\r?\n[ \t>]{0,64})?(?:<([^<>\n]*)>?|([^\s<]\S*))?[^\n]*/y

/** Reads from the colon behind a label to the end of the line. Undefined where no address follows. */
export const definitionAt = (text: string, colon: number): Inline | undefined => {
  const part = text.slice(colon + 1, colon + 1 + maxLengths.destination)
  definition.lastIndex = 0
  const found = definition.exec(part)
  const address = found?.[1] ?? found?.[2] ?? ''
  const end = colon + 1 + (found?.[0].length ?? 0)
  const isOpen = end === text.length
  return address || isOpen ? { end, isOpen, address } : undefined
}
