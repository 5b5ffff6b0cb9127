import type { Span } from '@sallyport/kit/views'

/** A text with replaced spans, and the spans of the replacements in it. */
export interface Spliced {
  readonly text: string
  readonly written: readonly Span[]
}

/** Replaces spans of a text. @param spans sorted, without overlaps; a span without a text is removed */
export const splice = (text: string, spans: readonly Span[], texts: readonly string[]): Spliced => {
  const parts: string[] = []
  let [from, length] = [0, 0]
  const written = spans.map(({ start, end }, at) => {
    const [kept, put] = [text.slice(from, start), texts[at] ?? '']
    parts.push(kept, put)
    from = end
    length += kept.length + put.length
    return { start: length - put.length, end: length }
  })
  return { text: parts.join('') + text.slice(from), written }
}
