import type { Span } from '@sallyport/kit/views'

/** A text with replaced spans, and the spans of the replacements in it. */
export interface Spliced {
  readonly text: string
  readonly replacementSpans: readonly Span[]
}

/** Replaces spans of a text. @param spans sorted, without overlaps; a span without a replacement is removed */
export const splice = (text: string, spans: readonly Span[], replacements: readonly string[]): Spliced => {
  const parts: string[] = []
  let [from, length] = [0, 0]
  const replacementSpans = spans.map(({ start, end }, at) => {
    const [kept, replacement] = [text.slice(from, start), replacements[at] ?? '']
    parts.push(kept, replacement)
    from = end
    length += kept.length + replacement.length
    return { start: length - replacement.length, end: length }
  })
  return { text: parts.join('') + text.slice(from), replacementSpans }
}
