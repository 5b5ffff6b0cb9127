/** Reads tags of HTML, and addresses in angle brackets. */

import { construct, maxLengths } from './constructs.js'
import type { Construct, End } from './constructs.js'

/** Attributes whose value is one address. */
const addressAttributes = new Set(
  'src href poster data action formaction background xlink:href ping lowsrc dynsrc longdesc codebase classid archive cite manifest icon to from values'.split(
    ' ',
  ),
)
/** Attributes whose value is a list of addresses. */
const listAttributes = new Set(['srcset', 'imagesrcset', 'ping'])
/** Elements whose address is followed only by a click. */
const clickedElements = new Set(['a', 'area', 'form', 'button'])

/** Elements with addresses. Their tags are read even where they are malformed; other tags must be well formed. */
const loadingElements =
  'img|image|iframe|frame|embed|object|video|audio|source|track|script|link|meta|base|input|svg|use|feimage|body|style|a|area|form|portal|bgsound'
const tagStart = new RegExp(
  String.raw`<(?:(${loadingElements})(?=[\s/>"']|$)|([a-z][a-z\d:-]{0,31})(?=[\s/>]|$))`,
  'iy',
)
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'][^\s>]*)))?/g
const restOfTag = /(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'=<>`]*))?)*\s*\/?(?:>|$)/y
const endOfStylesheet = /<\/style\s*>/i
const cssAddress = /(?:url|src)\(\s*["']?([^"')]*)|@import\s+["']([^"']*)|["']((?:https?:)?[\\/]{2}[^"']*)/gi
const unfinishedName = /^<[a-z][a-z\d:-]{0,31}$/i

/** The tag at an offset; undefined where there is none, or none with addresses. */
export const tagAt = (text: string, start: number): Construct | undefined => {
  const part = withoutQuoteMarks(text, start)
  tagStart.lastIndex = 0
  const name = tagStart.exec(part)
  if (!name) return undefined
  const end = endOfTag(text, part, start, name)
  if (!end) return undefined
  const whole = part.slice(0, end.end - start)
  const element = (name[1] ?? name[2] ?? '').toLowerCase()
  const isHiding = 'isHiding' in end
  const named = element === 'style' ? addressesInCss(whole) : addressesInAttributes(whole.slice(name[0].length))
  const addresses = isHiding ? ['javascript:'] : named
  const { end: to, isOpen } = end
  const isOpaque = isHiding || !/[[\]<]/.test(whole.slice(1))
  if (!isOpen && isOpaque && !addresses.length) return undefined
  const isLoaded = !clickedElements.has(element)
  const type = element === 'img' || element === 'image' ? 'IMAGE' : isLoaded ? 'EMBED' : 'LINK'
  return construct(start, to, { type, addresses, isLoaded, isOpen, isOpaque, innerStart: start })
}

/** The start of a line in a quotation of Markdown, before a tag. */
const quotation = /(?:^|\n)[ \t>*+\-\d.)]*>[^\n]*$/
const maxLineLength = 256

/** The text from a tag on, up to the maximum length, with spaces for quotation marks (`>`) at the start of lines. */
const withoutQuoteMarks = (text: string, start: number): string => {
  const part = text.slice(start, start + maxLengths.tag)
  return part.includes('\n') && quotation.test(text.slice(Math.max(0, start - maxLineLength), start))
    ? part.replace(/\n[ \t]*>[ \t>]*/g, (marks) => marks.replaceAll('>', ' '))
    : part
}

const endOfTag = (text: string, part: string, start: number, name: RegExpExecArray): End | undefined => {
  const limit = { end: start + part.length, isOpen: start + part.length === text.length }
  if (name[1]?.toLowerCase() === 'style') {
    const close = endOfStylesheet.exec(text.slice(start, limit.end))
    return close ? { end: start + close.index + close[0].length, isOpen: false } : limit
  }
  if (name[1] !== undefined) return endOfMalformedTag(part, start) ?? limit
  if (unfinishedName.test(part)) return limit
  restOfTag.lastIndex = name[0].length
  const rest = restOfTag.exec(part)
  const end = start + restOfTag.lastIndex
  return rest ? { end, isOpen: end === text.length && !rest[0].endsWith('>') } : undefined
}

/** The maximum number of tags that begin inside an unclosed one; more are there to hide something. */
const maxInnerTags = 16

/** The offset after the first `>` outside quotes. */
const endOfMalformedTag = (part: string, start: number): (End & { readonly isHiding?: true }) | undefined => {
  let [quote, innerTags] = ['', 0]
  for (let at = 1; at < part.length; at += 1) {
    const character = part[at] ?? ''
    if (quote) quote = character === quote ? '' : quote
    else if (character === '>') return { end: start + at + 1, isOpen: false }
    else if (character === '"' || character === "'") quote = character
    else if (character === '<' && (innerTags += 1) > maxInnerTags)
      return { end: start + at, isOpen: false, isHiding: true }
  }
  return undefined
}

const addressesInAttributes = (attributes: string): string[] =>
  Array.from(attributes.matchAll(attribute)).flatMap(([, name = '', double, single, bare]) => {
    const value = (double ?? single ?? bare ?? '').replace(/\/?>$/, '')
    const known = name.toLowerCase()
    if (listAttributes.has(known)) return value.split(/[\s,]+/).filter((one) => /[/\\.]/.test(one))
    if (known === 'style') return addressesInCss(value)
    if (known === 'content')
      return Array.from(value.matchAll(/url\s*=\s*["']?([^"'\s;]+)/gi), ([, address = '']) => address)
    if (known === 'srcdoc')
      return Array.from(value.matchAll(/(?:https?:)?[\\/]{2}[^\s"'<>)]+/gi), ([address]) => address)
    if (known.startsWith('on') && value !== '') return ['javascript:']
    return addressAttributes.has(known) && value !== '' ? [value] : []
  })

const addressesInCss = (css: string): string[] =>
  Array.from(css.matchAll(cssAddress), ([, url, imported, quoted]) => url ?? imported ?? quoted ?? '')

const autolink = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*)(>|$)?/iy

/** An autolink of Markdown: `<https://host/>`. */
export const autolinkAt = (text: string, start: number): Construct | undefined => {
  const part = text.slice(start, start + maxLengths.address)
  autolink.lastIndex = 0
  const found = autolink.exec(part)
  if (!found) return undefined
  const end = start + found[0].length
  const isOpen = end === text.length && !found[0].endsWith('>')
  if (found[2] === undefined && !isOpen) return undefined
  return construct(start, end, { addresses: found[2] === undefined ? [] : [found[1] ?? ''], isOpen, isOpaque: true })
}
