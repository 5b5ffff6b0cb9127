/** Matches: findings with their spans and contents in a text. */

import type { Finding } from '@sallyport/core'
import type { Reading, Span } from '@sallyport/kit/views'

/** A span of the text, with its content and the finding in it. */
export interface Match extends Span {
  /** Levels of JSON escapes undone in the reading of the finding. */
  readonly depth: number
  /** The text of the span, with escapes undone. */
  readonly content: string
  /** The finding, as a span of the content. */
  readonly finding: Finding
  /** If the content is a JSON text itself: the matches inside it. */
  readonly nested?: readonly Match[]
}

/** Copies field by field: there may be hundreds of thousands of findings, and object spread takes ten times as long. */
export const matchOf = (finding: Finding, { depth, text, sourceOf }: Reading): Match => {
  const { start, end } = sourceOf(finding)
  const content = text.slice(finding.start, finding.end)
  return { start, end, depth, content, finding: findingAt(finding, 0, content.length) }
}

const findingAt = ({ type, score }: Finding, start: number, end: number): Finding => ({ type, start, end, score })

/** The finding, as a span of the text. */
export const findingInText = ({ finding, start, end }: Match): Finding => findingAt(finding, start, end)

/** The content, with the finding moved so that it covers all of it. */
export const coveredContent = (finding: Finding, content: string): Pick<Match, 'content' | 'finding'> => ({
  content,
  finding: findingAt(finding, 0, content.length),
})

/** Sorts matches by start, and merges overlapping ones into one with the type of the longest. */
export const withoutOverlaps = (text: string, matches: readonly Match[]): Match[] => {
  const kept: Match[] = []
  const sorted = matches.toSorted((a, b) => a.start - b.start || lengthOf(b) - lengthOf(a) || a.depth - b.depth)
  for (const match of sorted) {
    const last = kept.at(-1)
    if (!last || match.start >= last.end) kept.push(match)
    else if (match.end > last.end) kept.splice(-1, 1, merge(text, last, match))
  }
  return kept
}

const lengthOf = ({ start, end }: Span) => end - start

const merge = (text: string, { start, ...first }: Match, { end, ...second }: Match): Match => {
  const { finding } = second.content.length > first.content.length ? second : first
  return { start, end, depth: 0, ...coveredContent(finding, text.slice(start, end)) }
}
