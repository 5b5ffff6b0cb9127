/** Goes through a text once and finds all that has an address, or may when the text goes on. */

import { maxLengths } from './constructs.js'
import type { Construct } from './constructs.js'
import { definitionAt, inlineAt } from './inline.js'
import type { Inline } from './inline.js'
import { autolinkAt, tagAt } from './tags.js'

/** An opening bracket whose closing one has not come. */
interface Opening {
  /** Begins with the exclamation marks: without all of them, what follows an image might become one. */
  readonly start: number
  readonly bracket: number
  readonly isImage: boolean
}

const bareAddress = String.raw`(?<![a-z\d])(?:(?:https?|ftp|wss?):[\\/]{2}|www\.)`
const trigger = new RegExp(String.raw`[[\]<]|${bareAddress}`, 'gi')
/** Exclamation marks before a bracket that are counted. */
const maxMarks = 64
const rest = /(?:(?!\]\()[^\s<>"'\x60\u2e80-\uffff])*/y
/** What may go on as a trigger: the end of a text. */
const partOfTrigger =
  /(?:!{1,64}|<|(?<![a-z\d])(?:h(?:t(?:t(?:p(?:s?(?::[\\/]?)?)?)?)?)?|f(?:t(?:p(?::[\\/]?)?)?)?|w(?:s(?:s?(?::[\\/]?)?)?|ww?)?))$/i
const maxTrigger = 72
const blankLine = /\n[ \t\r]*\n/
const trailing = /(?:[.,;:!?'"*_~)\]}]|&[a-z]{1,8};)+$/i

/** Finds constructs in no order, some inside others. Yields undefined where others may have their turn. */
export function* constructsIn(text: string): Generator<Construct | undefined> {
  const openings: Opening[] = []
  for (let found = find(text, 0), turns = 0; found; turns += 1) {
    const at = found.index
    let next = at + found[0].length
    if (found[0] === '[') openings.push(openingAt(text, at))
    else if (found[0] === '<') {
      const tag = autolinkAt(text, at) ?? tagAt(text, at)
      if (tag) yield tag
      if (tag && !tag.isOpen && tag.isClean) next = tag.end
    } else if (found[0] === ']') {
      const closed = closedAt(text, at, openings)
      if (closed) yield closed
      if (closed?.isClean) next = closed.end
    } else {
      const bare = bareAt(text, at, next)
      yield bare
      // Labels may begin in it.
      const bracket = text.slice(next, bare.end).search(/!*\[/)
      next = bracket < 0 ? Math.max(next, bare.end) : next + bracket
    }
    if (turns % 64 === 0) yield undefined
    found = find(text, next)
  }
  yield* unfinished(text, openings)
}

const openingAt = (text: string, bracket: number): Opening => {
  let start = bracket
  while (start > bracket - maxMarks && text[start - 1] === '!') start -= 1
  return { start, bracket, isImage: start < bracket }
}

const find = (text: string, from: number): RegExpExecArray | null => {
  trigger.lastIndex = from
  return trigger.exec(text)
}

const closedAt = (text: string, at: number, openings: Opening[]): Construct | undefined => {
  const isEscaped = text[at - 1] === '\\'
  const opening = isEscaped ? undefined : openings.pop()
  const behind = text[at + 1]
  if (behind === undefined) return opening ? openFrom(opening.start, text) : openFrom(at, text)
  if (behind === '(') return inlineBehind(text, at, opening)
  return behind === ':' && opening && isAtLineStart(text, opening.bracket)
    ? definitionBehind(text, at, opening)
    : undefined
}

/** What begins there, and may become a construct by what follows the text. */
const openFrom = (start: number, { length: end }: string): Construct => ({
  type: 'LINK',
  start,
  end,
  parts: [{ start, end }],
  addresses: [],
  isLoaded: false,
  isOpen: true,
  isClean: false,
})

const isLabel = (text: string, from: number, to: number, most: number): boolean =>
  to - from <= most && !blankLine.test(text.slice(from, to))

const inlineBehind = (text: string, at: number, opening: Opening | undefined): Construct | undefined => {
  const inline = inlineAt(text, at + 1)
  if (!inline) return undefined
  const most = opening?.isImage ? maxLengths.description : maxLengths.label
  const known = opening && isLabel(text, opening.bracket, at, most) ? opening : undefined
  // What belongs to no label that is near may belong to that of an image.
  const isImage = known?.isImage ?? opening?.isImage ?? true
  const { end, isOpen } = inline
  const start = known?.start ?? at
  const parts =
    isImage || !known
      ? [{ start, end }]
      : [
          { start, end: known.bracket + 1 },
          { start: at, end },
        ]
  return {
    type: isImage ? 'IMAGE' : 'LINK',
    start,
    end,
    parts,
    isOpen,
    isLoaded: isImage,
    inside: at,
    ...addressOf(inline),
  }
}

const isOneWord = (text: string): boolean => !/[\s<>[\]]/.test(text)

/** Where nothing but an address stands in the parentheses, and they are closed, nothing else is looked for there. */
const addressOf = ({ address, isOpen }: Inline) => ({ addresses: [address], isClean: !isOpen && isOneWord(address) })

/** A line may begin in lists and quotations, too, one in another. */
const lineStart = /(?:^|\n)[ \t>*+\-\d.)]*$/
const maxLineStart = 256
export const isAtLineStart = (text: string, bracket: number): boolean =>
  lineStart.test(text.slice(Math.max(0, bracket - maxLineStart), bracket))

/** Images may use it that come later, or earlier: it counts as one. Notes (`[^1]:`) are none. */
const definitionBehind = (text: string, at: number, { start, bracket }: Opening): Construct | undefined => {
  if (text[bracket + 1] === '^' || !isLabel(text, bracket, at, maxLengths.description)) return undefined
  const definition = definitionAt(text, at + 1)
  if (!definition) return undefined
  const { end, isOpen, address } = definition
  const parts = [{ start, end }]
  // What is in its address changes that; what stands behind it does not.
  const inside = isOneWord(address) ? {} : { inside: at }
  const isClean = !isOpen && isOneWord(text.slice(at + 2, end).trim())
  return {
    type: 'LINK_DEFINITION',
    start,
    end,
    parts,
    addresses: [address],
    isLoaded: true,
    isOpen,
    isClean,
    ...inside,
  }
}

const bareAt = (text: string, start: number, from: number): Construct => {
  const part = text.slice(from, start + maxLengths.address)
  rest.lastIndex = 0
  const reach = from + (rest.exec(part)?.[0].length ?? 0)
  const written = text.slice(start, reach)
  const end = reach - (trailing.exec(written)?.[0].length ?? 0)
  const address = text.slice(start, end)
  const isOpen = reach === text.length
  return {
    type: 'ADDRESS',
    start,
    end,
    parts: [{ start, end }],
    addresses: [/^www/i.test(address) ? `https://${address}` : address],
    isLoaded: false,
    isOpen,
    isClean: true,
  }
}

/** What has begun and not ended where the text does. */
function* unfinished(text: string, openings: readonly Opening[]): Generator<Construct> {
  for (const { start, bracket, isImage } of openings) {
    const most = isImage ? maxLengths.description : maxLengths.label
    if (isLabel(text, bracket, text.length, most)) yield openFrom(start, text)
  }
  const part = partOfTrigger.exec(text.slice(-maxTrigger))
  if (part) yield openFrom(text.length - part[0].length, text)
}
