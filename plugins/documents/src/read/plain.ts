import { occurrences } from '../element-budget.js'
import type { ElementBudget } from '../element-budget.js'
import type { Block, DocumentTree } from '../model/blocks.js'
import { paragraph, text } from '../model/inlines.js'

/**
 * Splits text into paragraphs at empty lines; columns made of spaces become code blocks.
 * @throws DocumentProblem for too many lines
 */
export const plainTree = (source: string, elements: ElementBudget): DocumentTree => {
  elements.add(occurrences(source, '\n'))
  return { blocks: source.split(/\n[ \t\f]*(?:\n[ \t\f]*)+/).flatMap(blocksOf) }
}

const blocksOf = (part: string): Block[] => {
  const lines = part.replaceAll('\f', '').split('\n')
  const content = lines
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
  if (content.trim() === '') return []
  if (isLaidOut(lines)) return [{ type: 'code', text: content }]
  const unindented = content.split('\n').map((line) => line.trimStart())
  return [paragraph([text(unindented.join('\n').trim())])]
}

/** Whether most lines have columns made of spaces. */
const isLaidOut = (lines: readonly string[]): boolean =>
  lines.length > 1 && lines.filter((line) => /\S(?: {3,}|\t)\S/.test(line)).length * 2 > lines.length

/** Whether a text has mark-up of Markdown that plain text rarely has. */
export const isMarkdown = (source: string): boolean => {
  const lines = source.split('\n', 2000)
  let signs = 0
  let fence = false
  for (const [index, line] of lines.entries()) {
    const follows = lines[index + 1] ?? ''
    if (/^ {0,3}(```|~~~)/.test(line)) {
      if (fence) signs += 2
      fence = !fence
    } else if (!fence) signs += signOf(line, follows, lines[index - 1] ?? '')
    if (signs >= 2) return true
  }
  return false
}

const signOf = (line: string, follows: string, before: string): number => {
  if (/^ {0,3}#{1,6} +\S/.test(line))
    return before.trim() === '' && (follows.trim() === '' || /^#/.test(follows)) ? 2 : 0.5
  if (/^ {0,3}\|?[ \t]*:?-{3,}:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$/.test(line) && before.includes('|')) return 2
  if (/^(={3,}|-{3,})[ \t]*$/.test(line) && /^\S.*\S$/.test(before)) return 1
  if (/!?\[[^\][\n]+\]\((?:https?:|[./#\w-])[^)\s]{0,2000}\)/.test(line)) return 1.5
  if (/(^|\s)(\*\*|__)\S[^*_\n]*\S\2(\s|[.,;:!?)]|$)/.test(line)) return 1
  if (/^\s{0,3}([-*+]|\d{1,3}\.) +\S/.test(line)) return 0.7
  if (/(^|\s)(`[^`\n]+`|\*\S[^*\n]*\S\*)(\s|[.,;:!?)]|$)/.test(line)) return 0.7
  if (/^\[\^[^\]]+\]:/.test(line)) return 2
  return /^ {0,3}> /.test(line) ? 0.5 : 0
}
