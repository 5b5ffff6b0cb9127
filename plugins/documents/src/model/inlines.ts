import { append } from '@sallyport/kit/lists'
import type { Block, Image, Inline, Mark, Table, TextRun } from './blocks.js'

export const text = (content: string, marks: readonly Mark[] = []): TextRun => ({ type: 'text', text: content, marks })

export const paragraph = (content: readonly Inline[]): Block => ({ type: 'paragraph', content })

/** A table of cells with a paragraph each, or nothing. The first row is its header. */
export const simpleTable = (rows: readonly (readonly (readonly Inline[])[])[]): Table => {
  const cell = (content: readonly Inline[]) => ({
    content: content.length ? [paragraph(content)] : [],
    columns: 1,
    rows: 1,
  })
  return { type: 'table', headers: 1, rows: rows.map((row) => row.map(cell)) }
}

/** Text with its line breaks as breaks. */
export const textLines = (content: string, marks: readonly Mark[] = [], separator = '\n'): Inline[] =>
  content
    .split(separator)
    .flatMap((line, index): Inline[] => [...(index ? [{ type: 'break' as const }] : []), text(line, marks)])

/** An image; none where it has neither an alternative text nor an address. */
export const image = (alt: string | undefined, url: string | undefined): Image[] => {
  const label = alt?.replace(/\s+/g, ' ').trim() ?? ''
  return url || label ? [{ type: 'image', alt: label, ...(url && { url }) }] : []
}

/** The text without mark-up, in one line. */
export const plainOf = (content: readonly Inline[]): string =>
  content
    .map((inline) => {
      if (inline.type === 'text') return inline.text
      if (inline.type === 'link') return plainOf(inline.content)
      if (inline.type === 'break') return ' '
      return inline.type === 'image' ? inline.alt : ''
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

/** Removes marks, for headings, which are often bold as a whole. */
export const withoutMarks = (content: readonly Inline[]): Inline[] =>
  content.map((one) => (one.type === 'text' ? { ...one, marks: [] } : one))

/** Whether the content is only white space and breaks. */
export const isBlank = (content: readonly Inline[]): boolean =>
  content.every((inline) => {
    if (inline.type === 'text') return inline.text.trim() === ''
    if (inline.type === 'link') return isBlank(inline.content)
    return inline.type === 'break'
  })

const sameMarks = (one: TextRun, other: TextRun) =>
  one.marks.length === other.marks.length && one.marks.every((mark) => other.marks.includes(mark))

/** Schemes that run scripts or access local files. */
const unsafeScheme = /^(?:javascript|vbscript|data|file):/i

const isSafe = (url: string, image = false): boolean => {
  const address = url.replace(/[\0-\x20]/g, '')
  return !unsafeScheme.test(address) || (image && /^data:image\/[\w.+-]+;base64,/i.test(address))
}

const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * Normalises white space as browsers do: runs of white space become one space or line break, and those at the edges and
 * beside breaks are removed, as are repeated breaks. Runs with the same marks are joined, and unsafe addresses removed.
 */
export const normaliseSpace = (content: readonly Inline[]): Inline[] => {
  const joined = trimmedStart(collapseSpace(content, { spaced: true }))
  while (joined.length > 0) {
    const last = joined.at(-1)
    if (last?.type === 'break') joined.pop()
    else if (last?.type === 'text' && /\s$/.test(last.text)) {
      joined.pop()
      const rest = last.text.trimEnd()
      if (rest) joined.push({ ...last, text: rest })
    } else break
  }
  return joined.map((one) => (one.type === 'text' ? { ...one, text: one.text.replace(loneSurrogates, '\ufffd') } : one))
}

const trimmedStart = (content: Inline[]): Inline[] => {
  const first = content.findIndex(({ type }) => type !== 'break')
  return first < 0 ? [] : content.slice(first)
}

/** @param state whether the preceding content ends in white space or is empty */
const collapseSpace = (content: readonly Inline[], state: { spaced: boolean }): Inline[] => {
  const result: Inline[] = []
  for (const inline of content) {
    if (inline.type === 'text') addText(result, inline, state)
    else if (inline.type === 'link') {
      const inner = collapseSpace(inline.content, state)
      if (inner.length > 0) append(result, isSafe(inline.url) ? [{ ...inline, content: inner }] : inner)
    } else {
      if (inline.type === 'break') {
        trimEnd(result)
        if (result.at(-1)?.type === 'break') continue
      }
      state.spaced = inline.type === 'break'
      result.push(inline.type === 'image' ? withSafeUrl(inline) : inline)
    }
  }
  return result
}

const withSafeUrl = ({ url, ...image }: Image): Image => ({ ...image, ...(url && isSafe(url, true) && { url }) })

const addText = (result: Inline[], run: TextRun, state: { spaced: boolean }): void => {
  let content = run.text
    .replace(/[\0-\x08\x0e-\x1f\x7f]/g, '')
    .replace(/[ \t\r\n\f\v]+/g, (space) => (space.includes('\n') ? '\n' : ' '))
  if (state.spaced) content = content.replace(/^[ \n]+/, '')
  if (!content) return
  state.spaced = /[ \n]$/.test(content)
  const last = result.at(-1)
  if (last?.type === 'text' && sameMarks(last, run)) result[result.length - 1] = { ...last, text: last.text + content }
  else result.push({ ...run, text: content })
}

const trimEnd = (result: Inline[]): void => {
  const last = result.at(-1)
  if (last?.type !== 'text') return
  result.pop()
  const rest = last.text.replace(/[ \n]+$/, '')
  if (rest) result.push({ ...last, text: rest })
}

/** Whether an address is a data URI, in any case and after white space, which browsers ignore. */
export const isDataUri = (url: string): boolean => /^\s*data:/i.test(url)

/** @param type such as `image/png` */
export const dataUri = (type: string, bytes: Uint8Array): string =>
  `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')}`
