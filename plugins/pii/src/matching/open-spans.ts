import { withoutHalfPair } from '@sallyport/kit/text'
import { plainReading, shownView } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import type { OpenSpan } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import type { CompiledRecognizer } from './compiled.js'
import { encodedSearch, base64RunsIn, findingInBase64 } from './encoded.js'
import { findingAt, mayReachThreshold } from './find.js'
import type { Search } from './find.js'
import { joinsNeighbours, maySeparate } from './neighbours.js'
import { matchesOf } from '../regex/search.js'
import type { Match } from '../regex/search.js'

/**
 * The spans of a text that must not be cut: matches of patterns, whatever their score, and ends of the text that could
 * become one. The result is sorted by start and has no overlaps. Patterns with `within` count only where the match is a
 * finding.
 */
export const openSpans = async (
  text: string,
  search: Pick<Search, 'recognizers' | 'threshold'>,
  pacer: Pacer,
): Promise<OpenSpan[]> => {
  const whole = withoutHalfPair(text)
  const covered = new CoveredUnits(text.length)
  const kept = await plainReading(whole, pacer, 'kept')
  const folded = kept.text === whole ? kept : await plainReading(whole, pacer, 'folded')
  for (const reading of folded.text === kept.text ? [kept] : [kept, folded]) {
    await cover(covered, reading, search, pacer)
    const shown = await shownView(reading, pacer, true)
    if (shown) await cover(covered, shown, encodedSearch(search), pacer)
  }
  return covered.spans()
}

const maxTailLength = 512

/** Marks the spans of a text that must not be cut. */
class CoveredUnits {
  /** 1 for each unit before which a cut would split a span. */
  private readonly inside: Uint8Array

  constructor(private readonly length: number) {
    this.inside = new Uint8Array(length)
  }

  add(start: number, end: number): void {
    this.inside.fill(1, start + 1, end)
  }

  /** Adds the span from a unit to the end of the text. */
  addFrom(start: number): void {
    this.add(start, this.length)
  }

  spans(): OpenSpan[] {
    const spans: OpenSpan[] = []
    for (let start = this.inside.indexOf(1); start >= 0;) {
      const after = this.inside.indexOf(0, start)
      const end = after < 0 ? this.length : after
      spans.push({ start: start - 1, end })
      start = this.inside.indexOf(1, end)
    }
    return spans
  }
}

const cover = async (
  covered: CoveredUnits,
  reading: View,
  search: Pick<Search, 'recognizers' | 'threshold'>,
  pacer: Pacer,
): Promise<void> => {
  const { recognizers, threshold } = search
  const { text } = reading
  const locationUnits = new Uint8Array(text.length)
  const add = (start: number, end: number) => {
    const source = reading.sourceOf({ start, end })
    if (end >= text.length) covered.addFrom(source.start)
    else covered.add(source.start, source.end)
  }
  for (const compiled of recognizers)
    for (const pattern of compiled.patterns) {
      const tail = pattern.tail?.exec(text.slice(-maxTailLength))
      if (tail) add(text.length - tail[0].length, text.length)
      for (const match of matchesOf(text, pattern, { grows: true })) {
        const span = match && spanOf(text, match, compiled, pattern, threshold)
        if (span && joinsNeighbours(compiled.recognizer)) locationUnits.fill(1, span.start, span.end)
        else if (span) add(span.start, span.end)
        await pacer.pause()
      }
    }
  for (const run of base64RunsIn(text, search, { grows: true })) {
    const span = run && (run.isOpen ? run : findingInBase64(run, search))
    if (span) add(span.start, span.end)
    await pacer.pause()
  }
  for (const { start, end } of mergedRuns(locationUnits, text)) {
    add(start, end)
    await pacer.pause()
  }
}

/** Whether more text could change a match. */
const mayGrow = (text: string, { end }: Match, { lookaheadLength }: { readonly lookaheadLength: number }): boolean =>
  end >= text.length || end + lookaheadLength > text.length

const spanToEnd = ({ start }: Match, { length }: string): OpenSpan => ({ start, end: length })

/** The part of a match that must not be cut in a growing text. */
const spanOf = (
  text: string,
  match: Match,
  compiled: CompiledRecognizer,
  pattern: CompiledRecognizer['patterns'][number],
  threshold: number,
): OpenSpan | undefined => {
  const { start, end } = match
  if (!mayGrow(text, match, pattern))
    return pattern.within ? findingAt(text, match, compiled, pattern, threshold) : { start, end }
  const { prefixesAreEmptyToo, within } = compiled.recognizer
  if (end < text.length && prefixesAreEmptyToo && !within?.(text.slice(match.inner.start, match.inner.end)))
    return undefined
  const counts = !pattern.within || mayReachThreshold(text, start, compiled, pattern, threshold)
  return counts ? spanToEnd(match, text) : undefined
}

/** The runs of marked units, with neighbours joined; a run that only separators follow reaches to the end. */
function* mergedRuns(marked: Uint8Array, text: string): Generator<OpenSpan> {
  let start = marked.indexOf(1)
  while (start >= 0) {
    const after = marked.indexOf(0, start)
    let end = after < 0 ? text.length : after
    let next = marked.indexOf(1, end)
    while (next >= 0 && maySeparate(text, end, next)) {
      const nextEnd = marked.indexOf(0, next)
      end = nextEnd < 0 ? text.length : nextEnd
      next = marked.indexOf(1, end)
    }
    yield { start, end: maySeparate(text, end, text.length) ? text.length : end }
    start = next
  }
}
