/**
 * How a text may read to whoever gets it: as it stands, with its escapes undone as parsers of JSON undo them, and each of
 * these with the escapes of other formats undone, which models read and viewers show.
 */

import { failure } from '../errors/index.js'
import { entities } from './entities.js'
import { escape } from './escapes.js'
import { countUpTo } from './sorted.js'

/** Half-open, in UTF-16 code units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text with the escapes of some depth undone. */
export interface Reading {
  /** How often escapes were undone: JSON inside a string of JSON has two layers of them. */
  readonly depth: number
  readonly text: string
  /** What of the source a span of the text was written as. */
  readonly sourceOf: (span: Span) => Span
}

/** Each layer doubles the backslashes before an escape: the last one has 64 of them. */
const deepest = 7

/** Escapes of a text: undoing them holds everything else up. */
const mostEscapes = 2 ** 17
/** What parts letters unseen, which is found in less time: long HTML has much of it. */
const mostParting = 2 ** 19

const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

export const asItStands = (text: string): Reading => ({ depth: 0, text, sourceOf: (span) => span })

/**
 * The text as it stands, and every reading of it that differs, by depth.
 * @throws safeguard_unavailable for a text with more escapes than can be undone
 */
export const readingsOf = (text: string): readonly Reading[] => {
  const readings: Reading[] = []
  let next: Reading | undefined = asItStands(text)
  while (next && next.depth <= deepest) {
    readings.push(next)
    next = next.text.includes('\\') ? undone(next, escape, jsonCharacter, next.depth + 1) : undefined
  }
  return differing([...readings, ...readings.flatMap(inOtherFormats)])
}

/** The text with its outermost escapes undone. @throws safeguard_unavailable as in {@link readingsOf} */
export const unescaped = (text: string): Reading =>
  undone(asItStands(text), escape, jsonCharacter, 1) ?? asItStands(text)

/** A reading of a text that stands behind another one, which reads in the same way. */
export interface ReadingBehind extends Reading {
  readonly before: string
}

/**
 * The readings of a text behind another one: an escape there, which may read as a space or as a letter, changes what
 * the text begins with.
 * @throws safeguard_unavailable
 */
export const readingsBehind = (before: string, text: string): readonly ReadingBehind[] =>
  readingsOf(before + text).map((whole) => {
    const cut = positionOf(whole, before.length)
    return {
      depth: whole.depth,
      before: whole.text.slice(0, cut),
      text: whole.text.slice(cut),
      sourceOf: ({ start, end }) => {
        const source = whole.sourceOf({ start: start + cut, end: end + cut })
        return { start: Math.max(0, source.start - before.length), end: Math.max(0, source.end - before.length) }
      },
    }
  })

/** Where a reading has come to a position of its source: behind what the position lies in the middle of. */
export const positionOf = ({ text, sourceOf }: Reading, position: number): number => {
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sourceOf({ start: middle, end: middle }).start < position) low = middle + 1
    else high = middle
  }
  return low
}

const differing = (readings: readonly Reading[]): Reading[] => {
  const texts = new Set<string>()
  return readings.filter(({ text }) => !texts.has(text) && texts.add(text))
}

const jsonCharacter = (_: string, code: string | undefined, letter = ''): string =>
  code === undefined ? (letters[letter] ?? letter) : String.fromCharCode(parseInt(code, 16))

/**
 * Escapes of HTML (as browsers read them: with zeros before a number, and without its semicolon), URLs (UTF-8 of two and
 * three bytes, too), programming languages, mail (RFC 2045, section 6.7: two in a row, a sign of an address, a break) and
 * Markdown (CommonMark 0.31, section 2.4), and tags (U+E0020 to U+E007E), which are ASCII that nobody sees. Each stands
 * for one UTF-16 unit, as does what parts the letters of a word and is not shown, or says that they are one.
 */
const otherEscape = new RegExp(
  [
    String.raw`&#(?:0*(\d{1,5})(?:;|(?!\d))|[xX]0*([\da-fA-F]{1,4})(?:;|(?![\da-fA-F])))`,
    '&([a-zA-Z]{2,21}(?:1[34])?);',
    String.raw`%([2-7][\da-fA-F])|((?:%[cCdD]|%[eE][\da-fA-F]%[89abAB])[\da-fA-F]%[89abAB][\da-fA-F])`,
    String.raw`\\x([\da-fA-F]{2})|\\u\{([\da-fA-F]{1,4})\}|\\([0-3][0-7]{2})`,
    String.raw`=([2-7][\dA-F])(?:(?==[2-7][\dA-F])|(?<==[2-7][\dA-F]=..)|(?<=[\w.]=40)(?=\w))`,
    String.raw`\\([!-/:-@[-\x60{-~])|\udb40([\udc20-\udc7e])`,
    String.raw`(?<=[^\s<>])((?:<!--[^<>]{0,1024}-->|</?(?:b|em|font|i|s|small|span|strong|u|wbr)(?: [^<>]{0,1024})?>){1,8})(?=[^\s<>])`,
    String.raw`((?<=[^\s*])\*{4}(?!\*)|(?<!\*)\*{4}(?=[^\s*]))|(?<=["'][^\s"'])(["'],\s?["'])(?=[^\s"']["'])`,
    String.raw`(?<=[^\s=])(=\r?\n)(?=[^\s=])`,
  ].join('|'),
  'g',
)
/** Nothing is there to see. */
const nothing = '\u200b'

const otherCharacter = (written: string, ...groups: (string | undefined)[]): string => {
  const [decimal, hexadecimal, entity, percent, bytes, byte, point, octal, quoted, punctuation, tag, ...parting] =
    groups
  if (entity !== undefined) return entities.get(entity) ?? written
  if (bytes !== undefined) return utf8(bytes) ?? written
  if (punctuation !== undefined) return punctuation
  if (tag !== undefined) return String.fromCharCode(tag.charCodeAt(0) - 0xdc00)
  if (decimal !== undefined) return String.fromCharCode(Number(decimal))
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8))
  if (parting.some((sign) => sign !== undefined)) return nothing
  return String.fromCharCode(parseInt(hexadecimal ?? percent ?? byte ?? point ?? quoted ?? '', 16))
}

/** Undefined for bytes that are no character. */
const utf8 = (escaped: string): string | undefined => {
  const character = Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8')
  return character.length === 1 && character !== '\ufffd' ? character : undefined
}

const inOther = (reading: Reading): Reading | undefined =>
  /[&%\\\udb40]|=[2-7\r\n]|[>"']|\*{4}/.test(reading.text)
    ? undone(reading, otherEscape, otherCharacter, reading.depth)
    : undefined

/** Escapes that are escaped: `%2540`, `&amp;#64;`. */
const doubled = /%25[2-7][\da-fA-F]|&amp;[#a-z]/

const inOtherFormats = (reading: Reading): Reading[] => {
  const once = inOther(reading)
  const twice = once && doubled.test(reading.text) ? inOther(once) : undefined
  return [once, twice].filter((other) => other !== undefined)
}

/** Undefined where there is nothing to undo. */
const undone = (
  reading: Reading,
  pattern: RegExp,
  characterOf: (written: string, ...groups: (string | undefined)[]) => string,
  depth: number,
): Reading | undefined => {
  /** Where each escape ends: in the new text, and in the old one. */
  const ends: { readonly became: number[]; readonly written: number[] } = { became: [], written: [] }
  const parts: string[] = []
  let [from, length, parting] = [0, 0, 0]
  for (const match of reading.text.matchAll(pattern)) {
    const [written, ...groups] = match
    const character = characterOf(written, ...groups)
    if (character === written) continue
    if (character === nothing ? (parting += 1) > mostParting : ends.became.length - parting === mostEscapes)
      throw failure('safeguard_unavailable', { problem: `a text has more than ${mostEscapes} escapes` })
    parts.push(reading.text.slice(from, match.index), character)
    length += match.index - from + character.length
    from = match.index + written.length
    ends.became.push(length)
    ends.written.push(from)
  }
  if (parts.length === 0) return undefined
  const before = (position: number): number => {
    const last = countUpTo(ends.became, position) - 1
    return position - (ends.became[last] ?? 0) + (ends.written[last] ?? 0)
  }
  return {
    depth,
    text: parts.join('') + reading.text.slice(from),
    sourceOf: ({ start, end }) => reading.sourceOf({ start: before(start), end: before(end) }),
  }
}

/** Writes a text so that it reads the same at this depth. */
export const writtenAt = (depth: number, text: string): string =>
  depth === 0 ? text : writtenAt(depth - 1, JSON.stringify(text).slice(1, -1))
