/** Measures of how well labelled spans are found. */

export interface LabelledSpan {
  readonly type: string
  /** Half-open, in the same units on both sides. */
  readonly start: number
  readonly end: number
}

/** Counts of spans: those to be found, those that were, and how many of each side the other one has. */
export interface SpanCounts {
  labelled: number
  found: number
  /** Of the same type and at the same place. */
  exact: number
  /** Labelled ones of which a part was found, and found ones of which a part is labelled. */
  labelledTouched: number
  foundTouched: number
}

export const noSpans = (): SpanCounts => ({ labelled: 0, found: 0, exact: 0, labelledTouched: 0, foundTouched: 0 })

const touches = (one: LabelledSpan, other: LabelledSpan) =>
  one.type === other.type && one.start < other.end && other.start < one.end

const equals = (one: LabelledSpan, other: LabelledSpan) =>
  one.type === other.type && one.start === other.start && one.end === other.end

/** Adds a text's spans to the counts of their types. */
export const countSpans = (
  counts: Map<string, SpanCounts>,
  labelled: readonly LabelledSpan[],
  found: readonly LabelledSpan[],
): void => {
  const of = (type: string): SpanCounts => {
    const own = counts.get(type) ?? noSpans()
    counts.set(type, own)
    return own
  }
  for (const span of labelled) {
    const own = of(span.type)
    own.labelled += 1
    own.exact += Number(found.some((other) => equals(span, other)))
    own.labelledTouched += Number(found.some((other) => touches(span, other)))
  }
  for (const span of found) {
    const own = of(span.type)
    own.found += 1
    own.foundTouched += Number(labelled.some((other) => touches(span, other)))
  }
}

/** The sum over types. */
export const sumOf = (counts: Iterable<SpanCounts>): SpanCounts => {
  const sum = noSpans()
  for (const one of counts) for (const key of Object.keys(sum) as (keyof SpanCounts)[]) sum[key] += one[key]
  return sum
}

const ratio = (part: number, whole: number) => (whole > 0 ? part / whole : 0)

/** The harmonic mean of precision and recall; 0 where nothing is right. */
export const f1 = (precision: number, recall: number): number => ratio(2 * precision * recall, precision + recall)

export const scoresOf = ({ labelled, found, exact, labelledTouched, foundTouched }: SpanCounts) => {
  const [exactPrecision, exactRecall] = [ratio(exact, found), ratio(exact, labelled)]
  const [overlapPrecision, overlapRecall] = [ratio(foundTouched, found), ratio(labelledTouched, labelled)]
  return {
    exactPrecision,
    exactRecall,
    exactF1: f1(exactPrecision, exactRecall),
    overlapPrecision,
    overlapRecall,
    overlapF1: f1(overlapPrecision, overlapRecall),
  }
}

/** Places with nothing but spaces, commas and signs of quotation between them as one. In order of their start. */
export const joinedPlaces = (spans: readonly LabelledSpan[], text: string): LabelledSpan[] => {
  const result: LabelledSpan[] = []
  for (const { type, start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    const isNext = last?.type === 'LOCATION' && type === 'LOCATION' && start >= last.end
    if (last && isNext && /^[\s,>]*$/.test(text.slice(last.end, start))) result[result.length - 1] = { ...last, end }
    else result.push({ type, start, end })
  }
  return result
}
