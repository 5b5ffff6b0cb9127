/** Tags of HTML, and addresses between angle brackets. */

import { maxLengths } from './constructs.js'
import type { Construct, End } from './constructs.js'

/** Attributes whose values are addresses; several of them in `srcset`, one within other words in `content` and `style`. */
const plain = new Set(
  'src href poster data action formaction background xlink:href ping lowsrc dynsrc longdesc codebase classid archive cite manifest icon to from values'.split(
    ' ',
  ),
)
const lists = new Set(['srcset', 'imagesrcset', 'ping'])
/** Whose address waits for a click. */
const clicked = new Set(['a', 'area', 'form', 'button'])

/** A proper tag, or one of a name that loads, whatever it holds; both may lack their end. */
const loading =
  'img|image|iframe|frame|embed|object|video|audio|source|track|script|link|meta|base|input|svg|use|feimage|body|style|a|area|form|portal|bgsound'
const begin = new RegExp(String.raw`<(?:(${loading})(?=[\s/>"']|$)|([a-z][a-z\d:-]{0,31})(?=[\s/>]|$))`, 'iy')
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^\s"'][^\s>]*)))?/g
const properRest = /(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s"'=<>`]*))?)*\s*\/?(?:>|$)/y
const stylesheet = /<\/style\s*>/gi
const inStyle = /(?:url|src)\(\s*["']?([^"')]*)|@import\s+["']([^"']*)|["']((?:https?:)?[\\/]{2}[^"']*)/gi
const partOfName = /^<[a-z][a-z\d:-]{0,31}$/i

/** A tag with addresses at a place; undefined where none stands there. */
export const tagAt = (text: string, start: number): Construct | undefined => {
  const part = unquoted(text, start)
  begin.lastIndex = 0
  const name = begin.exec(part)
  if (!name) return undefined
  const end = endOfTag(text, part, start, name)
  if (!end) return undefined
  const whole = part.slice(0, end.end - start)
  const element = (name[1] ?? name[2] ?? '').toLowerCase()
  const addresses =
    'isHiding' in end ? ['javascript:'] : element === 'style' ? inCss(whole) : addressesIn(whole.slice(name[0].length))
  const { end: to, isOpen } = end
  const isClean = 'isHiding' in end || !/[[\]<]/.test(whole.slice(1))
  if (!isOpen && isClean && !addresses.length) return undefined
  const isLoaded = !clicked.has(element)
  const type = element === 'img' || element === 'image' ? 'IMAGE' : isLoaded ? 'EMBED' : 'LINK'
  return { type, start, end: to, parts: [{ start, end: to }], addresses, isLoaded, isOpen, isClean, inside: start }
}

/** What stands before a tag in its line, in a quotation. */
const quotation = /(?:^|\n)[ \t>*+\-\d.)]*>[^\n]*$/
const maxLine = 256

/** The text from a tag on, as far as one may reach, without the marks of a quotation at the beginnings of its lines. */
const unquoted = (text: string, start: number): string => {
  const part = text.slice(start, start + maxLengths.tag)
  return part.includes('\n') && quotation.test(text.slice(Math.max(0, start - maxLine), start))
    ? part.replace(/\n[ \t]*>[ \t>]*/g, (marks) => marks.replaceAll('>', ' '))
    : part
}

const endOfTag = (text: string, part: string, start: number, name: RegExpExecArray): End | undefined => {
  const most = { end: start + part.length, isOpen: start + part.length === text.length }
  if (name[1]?.toLowerCase() === 'style') return endOf(text, start, stylesheet, maxLengths.tag) ?? most
  if (name[1] !== undefined) return endOfTolerated(part, start) ?? most
  properRest.lastIndex = name[0].length
  if (partOfName.test(part)) return most
  const rest = properRest.exec(part)
  return rest
    ? {
        end: start + properRest.lastIndex,
        isOpen: start + properRest.lastIndex === text.length && !rest[0].endsWith('>'),
      }
    : undefined
}

/** Up to the first match of a global pattern that stands at most so far away; its end counts. */
const endOf = (text: string, from: number, pattern: RegExp, most: number): End | undefined => {
  const part = text.slice(from, from + most)
  pattern.lastIndex = 0
  const found = pattern.exec(part)
  if (found) return { end: from + found.index + found[0].length, isOpen: false }
  return from + most >= text.length ? { end: text.length, isOpen: true } : undefined
}

/** Beginnings of tags in one that has no end: nobody writes that but to hide something. */
const maxBeginnings = 16

/** Behind the first `>` outside quotes. */
const endOfTolerated = (part: string, start: number): (End & { readonly isHiding?: true }) | undefined => {
  let [quote, beginnings] = ['', 0]
  for (let at = 1; at < part.length; at += 1) {
    const sign = part[at] ?? ''
    if (quote) quote = sign === quote ? '' : quote
    else if (sign === '>') return { end: start + at + 1, isOpen: false }
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '<' && (beginnings += 1) > maxBeginnings)
      return { end: start + at, isOpen: false, isHiding: true }
  }
  return undefined
}

const addressesIn = (attributes: string): string[] =>
  Array.from(attributes.matchAll(attribute)).flatMap(([, name = '', double, single, bare]) => {
    const value = (double ?? single ?? bare ?? '').replace(/\/?>$/, '')
    const known = name.toLowerCase()
    if (lists.has(known)) return value.split(/[\s,]+/).filter((one) => /[/\\.]/.test(one))
    if (known === 'style') return inCss(value)
    if (known === 'content')
      return Array.from(value.matchAll(/url\s*=\s*["']?([^"'\s;]+)/gi), ([, address = '']) => address)
    if (known === 'srcdoc')
      return Array.from(value.matchAll(/(?:https?:)?[\\/]{2}[^\s"'<>)]+/gi), ([address]) => address)
    if (known.startsWith('on') && value !== '') return ['javascript:']
    return plain.has(known) && value !== '' ? [value] : []
  })

const inCss = (css: string): string[] =>
  Array.from(css.matchAll(inStyle), ([, url, imported, quoted]) => url ?? imported ?? quoted ?? '')

const autolink = /<([a-z][a-z\d+.-]{1,31}:[^\s<>]*)(>|$)?/iy

/** `<https://host/>`. */
export const autolinkAt = (text: string, start: number): Construct | undefined => {
  const part = text.slice(start, start + maxLengths.address)
  autolink.lastIndex = 0
  const found = autolink.exec(part)
  if (!found) return undefined
  const end = start + found[0].length
  const isOpen = end === text.length && !found[0].endsWith('>')
  if (found[2] === undefined && !isOpen) return undefined
  return {
    type: 'LINK',
    start,
    end,
    parts: [{ start, end }],
    addresses: found[2] === undefined ? [] : [found[1] ?? ''],
    isLoaded: false,
    isOpen,
    isClean: true,
  }
}
