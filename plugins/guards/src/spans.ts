import type { Span } from '@sallyport/kit/views'

/** UTF-16 units of what stands before a text that are read with it: what is looked for may begin there. */
export const leadLength = 400

/** A span of a text that stands behind a lead, as one of the text alone. */
export const moved = <Placed extends Span>(span: Placed, lead: number): Placed => ({
  ...span,
  start: Math.max(0, span.start - lead),
  end: span.end - lead,
})

/** Spans that touch, as one. */
export const joined = (spans: readonly Span[]): Span[] => {
  const result: { start: number; end: number }[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}
