/** Reads the target after a label in brackets: `(destination "title")` or `: destination`. */

import { maxLengths } from './constructs.js'
import type { End } from './constructs.js'

interface LinkTarget extends End {
  readonly address: string
}

const title = /^\s+["'(]/
const blankLine = /^\n[ \t\r]*\n/

/**
 * Reads an inline target from its opening parenthesis on. Renderers differ in what they take for a destination, so all
 * up to the closing parenthesis counts, without a title. Undefined where the paragraph ends first.
 */
export const targetAt = (text: string, open: number): LinkTarget | undefined => {
  const limit = Math.min(text.length, open + maxLengths.destination)
  const { end, isParagraphEnd } = closingParenthesis(text, open, limit)
  if (end !== undefined) return { end, isOpen: false, address: addressIn(text.slice(open + 1, end - 1)) }
  if (isParagraphEnd) return undefined
  return { end: limit, isOpen: limit === text.length, address: addressIn(text.slice(open + 1, limit)) }
}

/** The maximum number of nested labels with a target. With more, this is not a target, and each is read by itself. */
const maxLabels = 8

/** Parentheses within a title do not count, unless its closing quote is missing. A title begins after whitespace. */
const closingParenthesis = (text: string, open: number, limit: number) => {
  let [depth, quote, labels] = [0, '', 0]
  let inQuote: number | undefined
  for (let at = open; at < limit; at += 1) {
    const character = text[at] ?? ''
    if (character === '\\') at += 1
    else if (character === '\n' && blankLine.test(text.slice(at, at + 64)))
      return { end: inQuote, isParagraphEnd: true }
    else if (quote) {
      if (character === quote) [quote, inQuote] = ['', undefined]
      else if (character === ')') inQuote ??= at + 1
    } else if (character === '<' && text.slice(open + 1, at).trim() === '') quote = '>'
    else if (/["']/.test(character) && /\s/.test(text[at - 1] ?? '')) quote = character
    else if (character === '(') {
      depth += 1
      if (text[at - 1] === ']' && (labels += 1) > maxLabels) return { end: inQuote, isParagraphEnd: true }
    } else if (character === ')' && (depth -= 1) === 0) return { end: at + 1, isParagraphEnd: false }
  }
  return { end: limit < text.length ? inQuote : undefined, isParagraphEnd: false }
}

/** The address in parentheses: the part in `<…>` or before a title, without the marks of a quotation. */
const addressIn = (inside: string): string => {
  const trimmed = inside.replace(/^\s*\n[ \t>]*/, '').trim()
  if (trimmed.startsWith('<')) return trimmed.slice(1).split('>')[0] ?? ''
  const space = /\s/.exec(trimmed)?.index ?? trimmed.length
  return title.test(trimmed.slice(space)) ? trimmed.slice(0, space) : trimmed
}

const definition = /[ \t]{0,64}(?:\r?\n[ \t>]{0,64})?(?:<([^<>\n]*)>?|([^\s<]\S*))?[^\n]*/y

/** Reads a definition from the colon after its label to the end of the line. Undefined where no address follows. */
export const definitionAt = (text: string, colon: number): LinkTarget | undefined => {
  const part = text.slice(colon + 1, colon + 1 + maxLengths.destination)
  definition.lastIndex = 0
  const found = definition.exec(part)
  const address = found?.[1] ?? found?.[2] ?? ''
  const end = colon + 1 + (found?.[0].length ?? 0)
  const isOpen = end === text.length
  return address || isOpen ? { end, isOpen, address } : undefined
}
