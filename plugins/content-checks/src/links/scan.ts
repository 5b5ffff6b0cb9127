/** Scans a text once for constructs with an address, and for parts that may become one when the text goes on. */

import { construct, maxLengths } from './constructs.js'
import type { Construct } from './constructs.js'
import { definitionAt, targetAt } from './targets.js'
import { autolinkAt, tagAt } from './tags.js'

/** An opening bracket that is not closed yet. */
interface Opening {
  /** The first of the exclamation marks before the bracket: if one stayed, it would make an image of a link after it. */
  readonly start: number
  readonly bracket: number
  readonly isImage: boolean
}

const bareAddress = String.raw`(?<![a-z\d])(?:(?:https?|ftp|wss?):[\\/]{2}|www\.)`
const trigger = new RegExp(String.raw`[[\]<]|${bareAddress}`, 'gi')
/** The maximum number of exclamation marks before a bracket. */
const maxExclamationMarks = 64
const restOfAddress = /(?:(?!\]\()[^\s<>"'\x60\u2e80-\uffff])*/y
/** The end of a text that may become a trigger. */
const triggerPrefix =
  /(?:!{1,64}|<|(?<![a-z\d])(?:h(?:t(?:t(?:p(?:s?(?::[\\/]?)?)?)?)?)?|f(?:t(?:p(?::[\\/]?)?)?)?|w(?:s(?:s?(?::[\\/]?)?)?|ww?)?))$/i
const maxPrefixLength = 72
const blankLine = /\n[ \t\r]*\n/
const trailingPunctuation = /(?:[.,;:!?'"*_~)\]}]|&[a-z]{1,8};)+$/i

/** Yields constructs in no particular order, some inside others, and undefined where the caller may pause. */
export function* constructsIn(text: string): Generator<Construct | undefined> {
  const openings: Opening[] = []
  for (let found = findTrigger(text, 0), count = 0; found; count += 1) {
    const at = found.index
    let next = at + found[0].length
    if (found[0] === '[') openings.push(openingAt(text, at))
    else if (found[0] === '<') {
      const tag = autolinkAt(text, at) ?? tagAt(text, at)
      if (tag) yield tag
      if (tag && !tag.isOpen && tag.isOpaque) next = tag.end
    } else if (found[0] === ']') {
      const closed = constructClosedAt(text, at, openings)
      if (closed) yield closed
      if (closed?.isOpaque) next = closed.end
    } else {
      const bare = bareAddressAt(text, at, next)
      yield bare
      // A label may begin within the address.
      const bracket = text.slice(next, bare.end).search(/!*\[/)
      next = bracket < 0 ? Math.max(next, bare.end) : next + bracket
    }
    if (count % 64 === 0) yield undefined
    found = findTrigger(text, next)
  }
  yield* openConstructs(text, openings)
}

const openingAt = (text: string, bracket: number): Opening => {
  let start = bracket
  while (start > bracket - maxExclamationMarks && text[start - 1] === '!') start -= 1
  return { start, bracket, isImage: start < bracket }
}

const findTrigger = (text: string, from: number): RegExpExecArray | null => {
  trigger.lastIndex = from
  return trigger.exec(text)
}

const constructClosedAt = (text: string, at: number, openings: Opening[]): Construct | undefined => {
  const isEscaped = text[at - 1] === '\\'
  const opening = isEscaped ? undefined : openings.pop()
  const next = text[at + 1]
  if (next === undefined) return opening ? openConstruct(opening.start, text) : openConstruct(at, text)
  if (next === '(') return inlineConstruct(text, at, opening)
  return next === ':' && opening && isAtLineStart(text, opening.bracket)
    ? definitionConstruct(text, at, opening)
    : undefined
}

/** A construct without an address, which more text may complete. */
const openConstruct = (start: number, { length }: string): Construct => construct(start, length, { isOpen: true })

const isLabel = (text: string, from: number, to: number, maxLength: number): boolean =>
  to - from <= maxLength && !blankLine.test(text.slice(from, to))

const inlineConstruct = (text: string, at: number, opening: Opening | undefined): Construct | undefined => {
  const target = targetAt(text, at + 1)
  if (!target) return undefined
  const maxLabel = opening?.isImage ? maxLengths.description : maxLengths.label
  const label = opening && isLabel(text, opening.bracket, at, maxLabel) ? opening : undefined
  // Without a label nearby, the target may belong to the label of an image.
  const isImage = label?.isImage ?? opening?.isImage ?? true
  const { end, isOpen, address } = target
  const start = label?.start ?? at
  // A closed target that is one word contains no other construct.
  const facts = { addresses: [address], isOpen, isOpaque: !isOpen && isOneWord(address), innerStart: at }
  if (isImage || !label) return construct(start, end, { type: isImage ? 'IMAGE' : 'LINK', isLoaded: isImage, ...facts })
  const parts = [
    { start, end: label.bracket + 1 },
    { start: at, end },
  ]
  return construct(start, end, { parts, ...facts })
}

const isOneWord = (text: string): boolean => !/[\s<>[\]]/.test(text)

/** The start of a line, including the marks of nested lists and quotations. */
const lineStart = /(?:^|\n)[ \t>*+\-\d.)]*$/
const maxLineStartLength = 256
export const isAtLineStart = (text: string, bracket: number): boolean =>
  lineStart.test(text.slice(Math.max(0, bracket - maxLineStartLength), bracket))

/** Any image may use a definition, so it counts as loaded. Footnotes (`[^1]:`) are not definitions. */
const definitionConstruct = (text: string, at: number, { start, bracket }: Opening): Construct | undefined => {
  if (text[bracket + 1] === '^' || !isLabel(text, bracket, at, maxLengths.description)) return undefined
  const definition = definitionAt(text, at + 1)
  if (!definition) return undefined
  const { end, isOpen, address } = definition
  // Only constructs inside the address can change it.
  const inner = isOneWord(address) ? {} : { innerStart: at }
  const isOpaque = !isOpen && isOneWord(text.slice(at + 2, end).trim())
  const facts = { addresses: [address], isOpen, isOpaque, ...inner }
  return construct(start, end, { type: 'LINK_DEFINITION', isLoaded: true, ...facts })
}

const bareAddressAt = (text: string, start: number, from: number): Construct => {
  const part = text.slice(from, start + maxLengths.address)
  restOfAddress.lastIndex = 0
  const reach = from + (restOfAddress.exec(part)?.[0].length ?? 0)
  const written = text.slice(start, reach)
  const end = reach - (trailingPunctuation.exec(written)?.[0].length ?? 0)
  const address = text.slice(start, end)
  const addresses = [/^www/i.test(address) ? `https://${address}` : address]
  return construct(start, end, { type: 'ADDRESS', addresses, isOpen: reach === text.length, isOpaque: true })
}

/** The constructs that the end of the text leaves open. */
function* openConstructs(text: string, openings: readonly Opening[]): Generator<Construct> {
  for (const { start, bracket, isImage } of openings) {
    const maxLabel = isImage ? maxLengths.description : maxLengths.label
    if (isLabel(text, bracket, text.length, maxLabel)) yield openConstruct(start, text)
  }
  const part = triggerPrefix.exec(text.slice(-maxPrefixLength))
  if (part) yield openConstruct(text.length - part[0].length, text)
}
