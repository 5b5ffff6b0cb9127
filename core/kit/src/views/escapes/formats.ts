/** Escapes of formats other than JSON, which models understand and viewers render. */

import { characterNames } from './character-names.js'
import { invisibleText } from '../edited.js'
import type { Edit } from '../edited.js'
import { inlineElements } from '../elements.js'
import { entities } from './entities.js'

/** One way to write a character. */
interface Format {
  /** The source of a pattern with one capturing group. */
  readonly pattern: string
  /** The character that the group stands for; undefined where it is none. */
  readonly read: (written: string) => string | undefined
}

const lastCodePoint = 0x10ffff
const inBase = (base: number) => (digits: string) => {
  const codePoint = parseInt(digits, base)
  return codePoint <= lastCodePoint ? String.fromCodePoint(codePoint) : undefined
}
const [hexadecimal, octal, decimal] = [inBase(16), inBase(8), inBase(10)]
const hidden = () => invisibleText

const hex = String.raw`[\da-fA-F]`
/** A code with leading zeros. */
const code = `0{0,8}(${hex}{1,6})`

/** The character of percent-encoded bytes; undefined where they are none. */
const utf8 = (escaped: string): string | undefined => {
  const character = Buffer.from(escaped.replaceAll('%', ''), 'hex').toString('utf8')
  return character.includes('\ufffd') ? undefined : character
}

/** HTML as browsers read it: with zeros before a number, and without its semicolon. */
const html: readonly Format[] = [
  { pattern: String.raw`&#0*(\d{1,7})(?:;|(?!\d))`, read: decimal },
  { pattern: `&#[xX]0*(${hex}{1,6})(?:;|(?!${hex}))`, read: hexadecimal },
  { pattern: '&([a-zA-Z]{2,21}(?:1[34])?);', read: (name) => entities.get(name) },
]

/** URLs (UTF-8 of two to four bytes, too), and what JavaScript's `escape` writes. */
const urls: readonly Format[] = [
  { pattern: `%([2-7]${hex})`, read: hexadecimal },
  {
    pattern: `((?:%[cCdD]|(?:%[eE]|%[fF][0-4]%[89abAB])${hex}%[89abAB])${hex}%[89abAB]${hex})`,
    read: utf8,
  },
  { pattern: `%[uU](${hex}{4})`, read: hexadecimal },
]

/** Colours and styles of terminals (ECMA-48, section 8.3.117), also as source code writes them. */
const terminal: Format = { pattern: String.raw`(?:\u001b|\\(?:0?33|x1[bB]|e))(\[[\d;]{0,16}m)`, read: hidden }

const programs: readonly Format[] = [
  terminal,
  { pattern: String.raw`\\x(${hex}{2})`, read: hexadecimal },
  { pattern: String.raw`\\[uxN]\{(?:U\+)?${code}\}`, read: hexadecimal },
  { pattern: String.raw`\\U00(${hex}{6})`, read: hexadecimal },
  { pattern: String.raw`\\N\{([A-Za-z][A-Za-z -]{3,24})\}`, read: (name) => characterNames.get(name.toUpperCase()) },
  { pattern: String.raw`U\+00([2-7]${hex})`, read: hexadecimal },
]

/** ASCII codes in CSS: signs of an address whatever follows, and others that end with their digits. */
const ascii = `(?:40|2[eE]|[2-7]${hex}(?!${hex}))`
/** CSS (CSS Syntax Level 3, section 4.3.7), of ASCII; a blank that ends one is part of it. */
const css: Format = { pattern: String.raw`\\(0000[2-7]${hex}|(?:00|000)?${ascii}) ?`, read: hexadecimal }
/** An escape of three digits, which C reads in another way. */
const shortCss: Format = { pattern: String.raw`\\(0${ascii}) ?`, read: hexadecimal }
const c: Format = { pattern: String.raw`\\([0-3][0-7]{2})`, read: octal }
/** An octal escape of two digits, as JavaScript reads it whatever follows; CSS reads it in another way. */
const shortC: Format = { pattern: String.raw`\\(?!40 )([4-7][0-7])`, read: octal }
/** Whether the text has escapes that C and CSS read in different ways. */
export const isAmbiguous = (text: string): boolean => /\\(?:0[2-7]|[4-7])[0-7]/.test(text)

/** Codes of signs that stand inside addresses and numbers: `@`, `.`, `-`, `+`, `_`. */
const signCodes = '40|2[EeDdBb]|5[Ff]'
/** Quoted-printable (RFC 2045, section 6.7), also with small letters: two codes in a row, and a sign inside a word. */
const mail: Format = {
  pattern: String.raw`=([2-7]${hex})(?:(?==[2-7]${hex})|(?<==[2-7]${hex}=..)|(?<=[\w.]\u200b?=(?:${signCodes}))(?=\u200b?\w))`,
  read: hexadecimal,
}

/** Breaks of lines in quoted-printable. */
const softBreak = /(?==)(?<=[^\s=])=\r?\n(?=[^\s=]|=[2-7][\da-fA-F])/g
/** One that may also be the end of base64: what is escaped behind that is a word of its own. */
const maybePadding = /[A-Za-z\d+/]=\r?\n[\\&%=]/
/** Whether the text has a break of a line that may be none. */
export const mayEndBase64 = (text: string): boolean => maybePadding.test(text)

const inAnyCase = inlineElements.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
/** Attributes, which may have `>` in quotes but never `<`, with which the next tag begins. */
const attributes = `[\\s/](?:(?:[^<>"']|"[^"<]{0,256}"|'[^'<]{0,256}'){0,1024}|[^<>]{0,1024})`
const comment = '<!--(?:[^<-]|-(?!->)|<(?!!--)){0,1024}-->'
const tags = `(?:${comment}|</?(?:${inAnyCase})(?:${attributes})?>){1,8}`
/** Tags inside a word, and between the digits of a number. */
const aroundTags = [
  String.raw`(?<=[^\s<>])${tags}(?=[^\s<>])`,
  String.raw`(?<=\d )${tags}(?=\d)`,
  String.raw`(?<=\d)${tags}(?= \d)`,
]

/**
 * Invisible marks between the letters of a word or the digits of a number, and the quotes of concatenated strings. Each
 * pattern begins with its first character, so that the slow look-behind runs only there.
 */
const parting: readonly Format[] = [
  { pattern: `(?=<)(${aroundTags.join('|')})`, read: hidden },
  { pattern: String.raw`(?=\*)((?<=[^\s*])\*{4}(?!\*)|(?<!\*)\*{4}(?=[^\s*]))`, read: hidden },
  { pattern: String.raw`(?=["'])(?<=["'][^\s"'])(["'],\s?["'])(?=[^\s"']["'])`, read: hidden },
]

/**
 * Backslash escapes (CommonMark 0.31, section 2.4) and tag characters (U+E0020 to U+E007E), which are invisible ASCII.
 */
const others: readonly Format[] = [
  { pattern: '\\\\([!-/:-@[-\\x60{-~])', read: (sign) => sign },
  { pattern: '\\udb40([\\udc20-\\udc7e])', read: (tag) => String.fromCharCode(tag.charCodeAt(0) - 0xdc00) },
]

interface Reader {
  readonly pattern: RegExp
  readonly formats: readonly Format[]
}

/** The first character of any format; to test it first takes less time for most of a text. */
const begin = String.raw`(?=[&%\\=U<*"'\u001b\udb40])`

const readerOf = (formats: readonly Format[]): Reader => ({
  pattern: new RegExp(`${begin}(?:${formats.map(({ pattern }) => pattern).join('|')})`, 'g'),
  formats,
})

const withEscapesOf = (...backslashed: readonly Format[]): Reader =>
  readerOf([...html, ...urls, ...programs, ...backslashed, mail, ...others, ...parting])

const asInC = withEscapesOf(shortC, css, c, shortCss)
const asInCss = withEscapesOf(css, shortCss, c)

const mayHold = /[&%\\\u001b\udb40]|=[2-7]|[>"']|\*{4}|U\+00/

/** Edits for the escapes of formats other than JSON. @param as how escapes are read that may belong to C or to CSS */
export function* charactersIn(text: string, as: 'c' | 'css'): Generator<Edit> {
  if (!mayHold.test(text)) return
  const { pattern, formats } = as === 'css' ? asInCss : asInC
  for (const match of text.matchAll(pattern)) {
    const [written = '', ...groups]: readonly (string | undefined)[] = match
    const group = groups.findIndex((one) => one !== undefined)
    const replacement = formats[group]?.read(groups[group] ?? '')
    if (replacement !== undefined && replacement !== written)
      yield { start: match.index, end: match.index + written.length, replacement }
  }
}

/** Edits that join the lines which mail has broken. */
export function* softBreaksIn(text: string): Generator<Edit> {
  for (const { index, 0: written } of text.matchAll(softBreak))
    yield { start: index, end: index + written.length, replacement: invisibleText }
}
