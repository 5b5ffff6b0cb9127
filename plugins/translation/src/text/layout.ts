/** A text as what is translated, and what stays around it. */

import { hasWords } from './protected.js'
import { partsOfAtMost, sentencesOf } from './sentences.js'

export type Piece =
  | { readonly kept: string }
  /** `width`: lines were joined for it, and its translation is broken into such ones again. */
  | { readonly words: string; readonly width?: number }

export interface LayoutOptions {
  /** Of the text; a BCP-47 tag. */
  readonly language: string
  /** Characters of what is translated as one. */
  readonly longest: number
  /** Sentences of a line are translated as one, up to `longest`. */
  readonly joined: boolean
}

/** The pieces, put together, are the text, but for line breaks and indents inside joined lines. */
export const layoutOf = (text: string, options: LayoutOptions): Piece[] => {
  const pieces: Piece[] = []
  for (const block of text.split(codeBlock)) {
    if (isCode.test(block)) pieces.push({ kept: block })
    else for (const line of joinedLines(block)) pieces.push(...linePieces(line, options))
  }
  return pieces.filter((piece) => ('kept' in piece ? piece.kept : piece.words) !== '')
}

const codeBlock = /((?:^|(?<=\n))[ \t]*(?:```|~~~)[^\n]*\n[\s\S]*?(?:\n[ \t]*(?:```|~~~)[ \t]*(?=\n|$)|$))/u
const isCode = /^[ \t]*(?:```|~~~)/

interface Line {
  readonly text: string
  /** The line break behind it. */
  readonly end: string
  readonly width?: number
}

const linesOf = (text: string): Line[] =>
  Array.from(
    text.matchAll(/([^\r\n\u2028\u2029\v\f]*)(\r\n|[\r\n\u2028\u2029\v\f]|$)/gu),
    ([, line = '', end = '']) => ({
      text: line,
      end,
    }),
  ).filter((line) => line.text !== '' || line.end !== '')

/** Lines of a paragraph that somebody broke at a width are one. */
const joinedLines = (text: string): Line[] => {
  const lines: Line[] = []
  for (const line of linesOf(text)) {
    const before = lines.at(-1)
    if (before && goesOn(before, line)) lines[lines.length - 1] = together(before, line)
    else lines.push(line)
  }
  return lines
}

/** Characters from where on a line may have been broken because it was full. */
const fullLine = 50

const goesOn = (before: Line, { text }: Line): boolean => {
  const last = before.text.slice(before.text.lastIndexOf('\n') + 1)
  return (
    /^\r?\n$/.test(before.end) &&
    last.length >= fullLine &&
    /[\p{L}\p{Nd},]$/u.test(last) &&
    /^\s*\p{Ll}/u.test(text) &&
    !/[|<]/.test(last + text)
  )
}

const together = (before: Line, { text, end }: Line): Line => ({
  text: `${before.text} ${text.trimStart()}`,
  end,
  width: Math.max(before.width ?? before.text.length, text.length),
})

/** Indents, quotes, headings, list items and check boxes, in any order. */
const marks = /^\s*(?:(?:>|#{1,6}|[-*+•‣◦·–—]|\(?(?:\p{Nd}{1,3}|[a-zA-Z])[.)]|\[[ xX]\])\s+)*/u
/** Tags at either end of a line. */
const opening = /^(?:\s*<\/?[A-Za-z!][^<>]*>)+\s*/u
const closing = /\s*(?:<\/?[A-Za-z][^<>]*>\s*)+$/u

const linePieces = ({ text, end, width }: Line, options: LayoutOptions): Piece[] => {
  const before = marks.exec(text)?.[0] ?? ''
  const rest = text.slice(before.length)
  const cells = /^\s*\|/.test(text) ? rest.split(/((?:^|(?<!\\))\|)/u) : [rest]
  return [
    { kept: before },
    ...cells.flatMap((cell) => (cell === '|' ? [{ kept: cell }] : contentPieces(cell, width, options))),
    { kept: end },
  ]
}

const contentPieces = (text: string, width: number | undefined, options: LayoutOptions): Piece[] => {
  const before = opening.exec(text)?.[0] ?? ''
  const after = closing.exec(text.slice(before.length))?.[0] ?? ''
  const content = text.slice(before.length, text.length - after.length)
  const units = unitsOf(content, options).flatMap((unit) => unitPieces(unit, width))
  return [{ kept: before }, ...units, { kept: after }]
}

const unitPieces = (unit: string, width: number | undefined): Piece[] => {
  if (!hasWords(unit)) return [{ kept: unit }]
  const [, before = '', words = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(unit) ?? []
  return [{ kept: before }, { words, ...(width !== undefined && { width }) }, { kept: after }]
}

/** What is translated as one. */
const unitsOf = (text: string, { language, longest, joined }: LayoutOptions): string[] => {
  const sentences = sentencesOf(text, language).flatMap((sentence) => partsOfAtMost(sentence, longest))
  if (!joined) return sentences
  const units: string[] = []
  for (const sentence of sentences) {
    const before = units.at(-1)
    if (before !== undefined && before.length + sentence.length <= longest) units[units.length - 1] = before + sentence
    else units.push(sentence)
  }
  return units
}
