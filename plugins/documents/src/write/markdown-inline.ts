import { maxOf } from '@sallyport/kit/lists'
import type { Inline, Mark, TextRun } from '../model/blocks.js'
import { normaliseSpace } from '../model/inlines.js'
import { anyMark, asAttribute, asMarkup } from './marks.js'

/** Writes inlines as CommonMark with strike-through; line breaks of the source are kept. */
export const markdownInline = (content: readonly Inline[]): string => escapeLineStarts(inline(normaliseSpace(content)))

/** Like {@link markdownInline}, in one line, for cells and headings. */
export const markdownLine = (content: readonly Inline[]): string =>
  inline(normaliseSpace(content)).replaceAll('  \n', '<br>').replaceAll('\n', ' ')

const inline = (content: readonly Inline[], inLink = false): string => {
  let result = ''
  for (const [index, one] of content.entries()) {
    if (one.type === 'text') result += run(one, result, content[index + 1], inLink)
    else if (one.type === 'link')
      result = escapeFinalBang(result) + link(one.url, inline(one.content, true).replace(/^\^/, '\\^'))
    else if (one.type === 'image') result += asMarkup('!') + link(one.url ?? '', escapeText(one.alt, true))
    else if (one.type === 'note')
      result = escapeFinalBang(result) + asMarkup('[^') + asAttribute(noteLabel(one.label)) + asMarkup(']')
    else result += '  \n'
  }
  return result
}

/** Escapes a final exclamation mark, which would make an image of the link that follows. */
const escapeFinalBang = (before: string): string => before.replace(/!$/, '\\!')

export const noteLabel = (label: string): string => label.replace(/[^\p{L}\p{N}_-]+/gu, '-') || 'note'

const link = (url: string, content: string): string => {
  const safe = url.replace(/[\s<>]/g, (character) => encodeURIComponent(character))
  const [open, close] = /[()]/.test(safe) ? ['(<', '>)'] : ['(', ')']
  return asMarkup('[') + content + asMarkup(`]${open}`) + asAttribute(safe) + asMarkup(close)
}

const wraps: Readonly<Record<Exclude<Mark, 'code'>, string>> = { bold: '**', italic: '*', strike: '~~' }

/** A character at an edge of a text that will be escaped. */
const escapedAtEdge = /^[\\`*_[\]~<&]|[\\`*_[\]~<&]$/

const mayOpen = (before: string, core: string): boolean =>
  /(^|\s)$/.test(before) || (/[("'“‘«—–/-]$/.test(before) && /^[\p{L}\p{N}]/u.test(core))

const mayClose = (core: string, after: string): boolean =>
  /^(\s|$)/.test(after) || (/^[)"'”’»—–/.,;:!?…-]/.test(after) && /[\p{L}\p{N}]$/u.test(core))

/**
 * Writes text with its marks. They enclose no white space, and are left out unless they are next to white space or
 * plain punctuation, because parsers would not recognise them elsewhere.
 */
const run = ({ text, marks }: TextRun, before: string, next: Inline | undefined, inLink: boolean): string => {
  const [, start = '', core = '', end = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (core === '') return text
  if (marks.includes('code') && !/[`\\]$/.test(before + start)) return start + codeSpan(core) + end
  const wrap = marks.map((mark) => (mark === 'code' ? '' : wraps[mark]))
  const follows = end || textAtStart(next)
  const free = mayOpen(before + start, core) && mayClose(core, follows) && !escapedAtEdge.test(core)
  const marked = free || wrap.length === 0 ? wrap.join('') : ''
  return start + marked + escapeText(core, inLink) + Array.from(marked).reverse().join('') + end
}

/** The text at the start of what follows; a letter, next to which marks are left out, for links, images and notes. */
const textAtStart = (next: Inline | undefined): string => {
  if (next?.type === 'text' && !next.marks.includes('code')) return next.text
  return next === undefined || next.type === 'break' ? '' : 'x'
}

const codeSpan = (code: string): string => {
  const flat = code.replaceAll('\n', ' ')
  const ticks = '`'.repeat(1 + maxOf([0, ...(flat.match(/`+/g) ?? []).map((found) => found.length)]))
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  return ticks + pad + flat + pad + ticks
}

/** Escapes only what a parser would take for mark-up, so that the text stays readable. */
const escapeText = (text: string, inLink: boolean): string =>
  text
    .replace(/[\\`]/g, '\\$&')
    .replace(/[*_]+/g, (found, at: number, whole: string) => emphasis(found, whole[at - 1], whole[at + found.length]))
    .replace(inLink ? /[[\]]/g : /\[(?=\^)|\](?=\()|\]$|^\]/g, '\\$&')
    .replaceAll('~', '\\~')
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^(\s*)(=+|-+)(?=\s*$)/gm, '$1\\$2')

/** Escapes asterisks and underscores, unless they are between spaces or are underscores within words. */
const emphasis = (found: string, before: string | undefined, after: string | undefined): string => {
  const within = (pattern: RegExp) =>
    before !== undefined && after !== undefined && pattern.test(before) && pattern.test(after)
  const harmless = within(/\s/) || (found.startsWith('_') && !found.includes('*') && within(/[\p{L}\p{N}]/u))
  return harmless ? found : found.replace(/./g, '\\$&')
}

/** A bracket that would begin a definition, also where it is the mark of a note, or a check box. */
const definitionOrBox = new RegExp(
  String.raw`^([ \t]*${anyMark})\[(?=(?:[^\]\\]|\\.){0,999}\]${anyMark}:|[ xX]\](?:\s|$))`,
  'gm',
)

/** Escapes what would begin a block at the start of a line. */
const escapeLineStarts = (markdown: string): string =>
  markdown
    .replace(/^([ \t]*)([#>+*-])(?=\s|$)/gm, '$1\\$2')
    .replace(/^([ \t]*)([_*])(?=[ \t]*\2[ \t]*\2[ \t_*]*$)/gm, '$1\\$2')
    .replace(definitionOrBox, '$1\\[')
    .replace(/^([ \t]*)#(?=#{1,5}(\s|$))/gm, '$1\\#')
    .replace(/^([ \t]*)>/gm, '$1\\>')
    .replace(/^([ \t]*\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
    .replace(/^([ \t]*)\|/gm, '$1\\|')
