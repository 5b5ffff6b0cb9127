import type { Inline, Mark, TextRun } from './blocks.js'

export const text = (content: string, marks: readonly Mark[] = []): TextRun => ({ type: 'text', text: content, marks })

/** Text without mark-up, as a title or an entry of a list of headings. */
export const plainOf = (content: readonly Inline[]): string =>
  content
    .map((inline) => {
      if (inline.type === 'text') return inline.text
      if (inline.type === 'link') return plainOf(inline.content)
      if (inline.type === 'break') return ' '
      return inline.type === 'picture' ? inline.alt : ''
    })
    .join('')
    .replace(/\s+/g, ' ')
    .trim()

/** Nothing to see. */
export const isBlank = (content: readonly Inline[]): boolean =>
  content.every((inline) => {
    if (inline.type === 'text') return inline.text.trim() === ''
    if (inline.type === 'link') return isBlank(inline.content)
    return inline.type === 'break'
  })

const sameMarks = (one: TextRun, other: TextRun) =>
  one.marks.length === other.marks.length && one.marks.every((mark) => other.marks.includes(mark))

/**
 * As a browser shows it: white space is one space, or the line break that is in it, and none stands at the edges or
 * beside breaks. Runs with the same marks become one.
 */
export const tidied = (content: readonly Inline[]): Inline[] => {
  const joined = trimmedStart(collapsed(content, { spaced: true }))
  while (joined.length > 0) {
    const last = joined.at(-1)
    if (last?.type === 'break') joined.pop()
    else if (last?.type === 'text' && /\s$/.test(last.text)) {
      joined.pop()
      const rest = last.text.trimEnd()
      if (rest) joined.push({ ...last, text: rest })
    } else break
  }
  return joined
}

const trimmedStart = (content: Inline[]): Inline[] => {
  const first = content.findIndex(({ type }) => type !== 'break')
  return first < 0 ? [] : content.slice(first)
}

/** `spaced`: what stands before ends in white space, or is nothing. */
const collapsed = (content: readonly Inline[], state: { spaced: boolean }): Inline[] => {
  const result: Inline[] = []
  for (const inline of content) {
    if (inline.type === 'text') addText(result, inline, state)
    else if (inline.type === 'link') {
      const inner = collapsed(inline.content, state)
      if (inner.length > 0) result.push({ ...inline, content: inner })
    } else {
      if (inline.type === 'break') trimEnd(result)
      state.spaced = inline.type === 'break'
      result.push(inline)
    }
  }
  return result
}

const addText = (result: Inline[], run: TextRun, state: { spaced: boolean }): void => {
  let content = run.text.replace(/[ \t\r\n\f\v]+/g, (space) => (space.includes('\n') ? '\n' : ' '))
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
