/** Splits a text into units to translate and the layout around them, which is kept. */

import { maxOf } from '@sallyport/kit/lists'
import { hasWords } from './protected.js'
import { splitToLength, sentencesOf } from './sentences.js'

export type LayoutPart =
  | { readonly kept: string }
  /** `width` is present where lines were joined: the translation is wrapped to it again. */
  | { readonly words: string; readonly width?: number }

export interface LayoutOptions {
  /** The BCP-47 tag of the text's language. */
  readonly language: string
  /** The maximum length of a unit, in UTF-16 code units. */
  readonly maxLength: number
  /** Sentences of a line are translated as one, up to `maxLength`. */
  readonly joinsSentences: boolean
}

/** Joined, the parts are the text, except for line breaks and indents inside joined lines. */
export function* layoutOf(text: string, options: LayoutOptions): Generator<LayoutPart> {
  for (const part of allParts(text, options)) if (('kept' in part ? part.kept : part.words) !== '') yield part
}

function* allParts(text: string, options: LayoutOptions): Generator<LayoutPart> {
  for (const block of text.split(codeBlock)) {
    if (isCode.test(block)) yield { kept: block }
    else for (const line of joinedLines(block)) yield* lineParts(line, options)
  }
}

const codeBlock = /((?:^|(?<=\n))[ \t]*(?:```|~~~)[^\n]*\n[\s\S]*?(?:\n[ \t]*(?:```|~~~)[ \t]*(?=\n|$)|$))/u
const isCode = /^[ \t]*(?:```|~~~)/

/** A line, or several that were joined. */
interface Line {
  readonly text: string
  /** The line break after the line. */
  readonly end: string
  /** The length of the longest of several. */
  readonly width?: number
}

function* linesOf(text: string): Generator<Line> {
  for (const [, line = '', end = ''] of text.matchAll(/([^\r\n\u2028\u2029\v\f]*)(\r\n|[\r\n\u2028\u2029\v\f]|$)/gu))
    yield { text: line, end }
}

/** Joins the lines of a paragraph that was wrapped at a width. */
function* joinedLines(text: string): Generator<Line> {
  let open: Line[] = []
  for (const line of linesOf(text)) {
    const before = open.at(-1)
    if (before && !isContinuation(before, line)) {
      yield joinLines(open)
      open = []
    }
    open.push(line)
  }
  yield joinLines(open)
}

/** A line of at least this length may have been wrapped because it was full. */
const fullLine = 50

const isContinuation = ({ text: before, end }: Line, { text }: Line): boolean =>
  /^\r?\n$/.test(end) &&
  before.length >= fullLine &&
  /[\p{L}\p{Nd},]$/u.test(before.slice(-2)) &&
  /^\s*\p{Ll}/u.test(text) &&
  !/[|<]/.test(before) &&
  !/[|<]/.test(text) &&
  (marks.exec(text)?.[0] ?? '').trim() === ''

const joinLines = (lines: readonly Line[]): Line => {
  const text = lines.map((line, index) => (index === 0 ? line.text : line.text.trimStart())).join(' ')
  const end = lines.at(-1)?.end ?? ''
  return lines.length < 2 ? { text, end } : { text, end, width: maxOf(lines.map((line) => line.text.length)) }
}

/** Marks of indents, quotes, headings, list items and check boxes, in any order. */
const marks = /^\s*(?:(?:>|#{1,6}|[-*+•‣◦·–—]|\(?(?:\p{Nd}{1,3}|[a-zA-Z])[.)]|\[[ xX]\])\s+)*/u
/** Tags at the beginning of a line. */
const opening = /^(?:\s*<\/?[A-Za-z!][^<>]*>)+\s*/u
const tag = /^<\/?[A-Za-z][^<>]*>$/u

/** Where the tags at the end of a line begin, with the white space around them; the line's length without any. */
const closingFrom = (text: string): number => {
  let from = text.length
  for (;;) {
    const end = text.slice(0, from).trimEnd().length
    const start = text.lastIndexOf('<', end - 1)
    if (start < 0 || end - start > maxTag || !tag.test(text.slice(start, end))) break
    from = start
  }
  return from === text.length ? from : text.slice(0, from).trimEnd().length
}

const maxTag = 500

function* lineParts({ text, end, width }: Line, options: LayoutOptions): Generator<LayoutPart> {
  const before = marks.exec(text)?.[0] ?? ''
  yield { kept: before }
  const rest = text.slice(before.length)
  const cells = /^\s*\|/.test(text) ? rest.split(/((?<!\\)\|)/u) : [rest]
  for (const cell of cells) {
    if (cell === '|') yield { kept: cell }
    else yield* contentParts(cell, width, options)
  }
  yield { kept: end }
}

function* contentParts(text: string, width: number | undefined, options: LayoutOptions): Generator<LayoutPart> {
  const start = opening.exec(text)?.[0].length ?? 0
  const end = Math.max(start, closingFrom(text))
  yield { kept: text.slice(0, start) }
  for (const unit of unitsOf(text.slice(start, end), options)) yield* unitParts(unit, width)
  yield { kept: text.slice(end) }
}

function* unitParts(unit: string, width: number | undefined): Generator<LayoutPart> {
  const words = hasWords(unit) ? unit.trim() : ''
  const start = unit.indexOf(words)
  yield { kept: unit.slice(0, start) }
  yield { words, ...(width !== undefined && { width }) }
  yield { kept: unit.slice(start + words.length) }
}

/** The units of a line. */
function* unitsOf(text: string, { language, maxLength, joinsSentences }: LayoutOptions): Generator<string> {
  let open = ''
  for (const sentence of sentencesOf(text, language))
    for (const part of splitToLength(sentence, maxLength)) {
      if (open !== '' && (!joinsSentences || open.length + part.length > maxLength)) {
        yield open
        open = ''
      }
      open += part
    }
  if (open !== '') yield open
}
