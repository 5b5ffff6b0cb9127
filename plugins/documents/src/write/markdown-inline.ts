import { maxOf } from '@sallyport/kit/lists'
import type { Inline, Mark, TextRun } from '../model/blocks.js'
import { tidied } from '../model/inlines.js'

/** Inline mark-up of CommonMark with strike-through; lines are joined by line breaks where the source has them. */
export const markdownInline = (content: readonly Inline[]): string => atLineStart(inline(tidied(content)))

/** For a cell of a table, and a heading: one line. */
export const markdownLine = (content: readonly Inline[]): string =>
  inline(tidied(content)).replaceAll('  \n', '<br>').replaceAll('\n', ' ')

const inline = (content: readonly Inline[], inLink = false): string => {
  let result = ''
  for (const [index, one] of content.entries()) {
    if (one.type === 'text') result += run(one, result, content[index + 1], inLink)
    else if (one.type === 'link')
      result = notImage(result) + link(one.url, inline(one.content, true).replace(/^\^/, '\\^'))
    else if (one.type === 'image') result += `!${link(one.url ?? '', escaped(one.alt, true))}`
    else if (one.type === 'note') result = `${notImage(result)}[^${noteLabel(one.label)}]`
    else result += '  \n'
  }
  return result
}

/** What ends in an exclamation mark would make an image of a link behind it. */
const notImage = (before: string): string => before.replace(/!$/, '\\!')

export const noteLabel = (label: string): string => label.replace(/[^\p{L}\p{N}_-]+/gu, '-') || 'note'

const link = (url: string, content: string): string => {
  const safe = url.replace(/[\s<>]/g, (character) => encodeURIComponent(character))
  return `[${content}](${/[()]/.test(safe) ? `<${safe}>` : safe})`
}

const wraps: Readonly<Record<Exclude<Mark, 'code'>, string>> = { bold: '**', italic: '*', strike: '~~' }

/** What is escaped, at an edge. */
const edged = /^[\\`*_[\]~<&]|[\\`*_[\]~<&]$/

const mayOpen = (before: string, core: string): boolean =>
  /(^|\s)$/.test(before) || (/[("'“‘«—–/-]$/.test(before) && /^[\p{L}\p{N}]/u.test(core))

const mayClose = (core: string, after: string): boolean =>
  /^(\s|$)/.test(after) || (/^[)"'”’»—–/.,;:!?…-]/.test(after) && /[\p{L}\p{N}]$/u.test(core))

/**
 * Marks enclose no white space, and begin and end beside white space or plain punctuation: elsewhere a parser would not
 * take them for marks, and they are left out.
 */
const run = ({ text, marks }: TextRun, before: string, next: Inline | undefined, inLink: boolean): string => {
  const [, start = '', core = '', end = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (core === '') return text
  if (marks.includes('code') && !/[`\\]$/.test(before + start)) return start + codeSpan(core) + end
  const wrap = marks.map((mark) => (mark === 'code' ? '' : wraps[mark]))
  const follows = end || textAtStart(next)
  const free = mayOpen(before + start, core) && mayClose(core, follows) && !edged.test(core)
  const marked = free || wrap.length === 0 ? wrap.join('') : ''
  return start + marked + escaped(core, inLink) + Array.from(marked).reverse().join('') + end
}

/** Marks beside anything but text are not sure to be taken for marks. */
const textAtStart = (next: Inline | undefined): string => {
  if (next?.type === 'text' && !next.marks.includes('code')) return next.text
  return next === undefined || next.type === 'break' ? '' : 'x'
}

const codeSpan = (code: string): string => {
  const flat = code.replaceAll('\n', ' ')
  const longest = maxOf(
    (flat.match(/`+/g) ?? []).map((ticks) => ticks.length),
    0,
  )
  const ticks = '`'.repeat(longest + 1)
  const pad = flat.startsWith('`') || flat.endsWith('`') ? ' ' : ''
  return ticks + pad + flat + pad + ticks
}

/** Only what a parser would take for mark-up, so that text stays readable. */
const escaped = (text: string, inLink: boolean): string =>
  text
    .replace(/[\\`]/g, '\\$&')
    .replace(/[*_]+/g, (found, at: number) => emphasis(found, text[at - 1], text[at + found.length]))
    .replace(inLink ? /[[\]]/g : /\[(?=\^)|\](?=\()|\]$|^\]/g, '\\$&')
    .replaceAll('~', '\\~')
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/^(\s*)(=+|-+)(?=\s*$)/gm, '$1\\$2')

/** Between spaces they mean nothing, and underscores within words. What stands beside the text is not known here. */
const emphasis = (found: string, before: string | undefined, after: string | undefined): string => {
  const within = (pattern: RegExp) =>
    before !== undefined && after !== undefined && pattern.test(before) && pattern.test(after)
  const harmless = within(/\s/) || (found.startsWith('_') && !found.includes('*') && within(/[\p{L}\p{N}]/u))
  return harmless ? found : found.replace(/./g, '\\$&')
}

/** What begins a block at the start of a line. */
const atLineStart = (markdown: string): string =>
  markdown
    .replace(/^([ \t]*)([#>+*-])(?=\s|$)/gm, '$1\\$2')
    .replace(/^([ \t]*)([_*])(?=[ \t]*\2[ \t]*\2[ \t_*]*$)/gm, '$1\\$2')
    .replace(/^([ \t]*)\[(?=(?:[^\]\\]|\\.){0,999}\]:|[ xX]\](?:\s|$))/gm, '$1\\[')
    .replace(/^([ \t]*)#(?=#{1,5}(\s|$))/gm, '$1\\#')
    .replace(/^([ \t]*)>/gm, '$1\\>')
    .replace(/^([ \t]*\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
    .replace(/^([ \t]*)\|/gm, '$1\\|')
