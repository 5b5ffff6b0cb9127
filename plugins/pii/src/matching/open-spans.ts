import { withoutHalfPair } from '@sallyport/kit/text'
import { plainReading, shownView } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import type { OpenSpan } from '@sallyport/core'
import type { Pacer } from '@sallyport/kit/async'
import type { CompiledRecognizer, RecognizerPattern } from './compiled.js'
import { encodedSearch, base64RunsIn, findingInBase64 } from './encoded.js'
import { findingAt, mayReachThreshold } from './find.js'
import type { Search } from './find.js'
import { joinsNeighbours, maySeparate } from './neighbours.js'
import { matchesOf } from '../regex/search.js'
import type { Match } from '../regex/search.js'

/**
 * The spans of a text that must not be cut, sorted and without overlaps: matches of patterns, whatever their score, and
 * ends of the text that could become one; of patterns with `within`, only those that are or could become findings.
 */
export const openSpans = async (
  text: string,
  search: Pick<Search, 'recognizers' | 'threshold'>,
  pacer: Pacer,
): Promise<OpenSpan[]> => {
  const whole = withoutHalfPair(text)
  /** 1 for each unit before which a cut would split a span. */
  const inside = new Uint8Array(text.length)
  const kept = await plainReading(whole, pacer, 'kept')
  const folded = kept.text === whole ? kept : await plainReading(whole, pacer, 'folded')
  for (const reading of folded.text === kept.text ? [kept] : [kept, folded]) {
    await mark(inside, reading, search, pacer)
    const shown = await shownView(reading, pacer, true)
    if (shown) await mark(inside, shown, encodedSearch(search), pacer)
  }
  return Array.from(runsIn(inside), ({ start, end }) => ({ start: start - 1, end }))
}

const maxTailLength = 512

/** Marks the spans of a reading that must not be cut. */
const mark = async (
  inside: Uint8Array,
  reading: View,
  search: Pick<Search, 'recognizers' | 'threshold'>,
  pacer: Pacer,
): Promise<void> => {
  const { recognizers, threshold } = search
  const { text } = reading
  const locationUnits = new Uint8Array(text.length)
  const add = (start: number, end: number) => {
    const source = reading.sourceOf({ start, end })
    inside.fill(1, source.start + 1, end < text.length ? source.end : inside.length)
  }
  for (const compiled of recognizers)
    for (const pattern of compiled.patterns) {
      const tail = pattern.tail?.exec(text.slice(-maxTailLength))
      if (tail) add(text.length - tail[0].length, text.length)
      for (const match of matchesOf(text, pattern, { grows: true })) {
        const span = match && spanOf(text, match, compiled, pattern, threshold)
        if (span && joinsNeighbours(compiled.recognizer.entity)) locationUnits.fill(1, span.start, span.end)
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

/** The part of a match that must not be cut in a growing text. */
const spanOf = (
  text: string,
  match: Match,
  compiled: CompiledRecognizer,
  pattern: RecognizerPattern,
  threshold: number,
): OpenSpan | undefined => {
  const { start, end } = match
  // Nothing that follows the text could change the match.
  if (end < text.length && end + pattern.lookaheadLength <= text.length)
    return pattern.within ? findingAt(text, match, compiled, pattern, threshold) : { start, end }
  const { prefixesAreEmptyToo, within } = compiled.recognizer
  if (end < text.length && prefixesAreEmptyToo && !within?.(text.slice(match.inner.start, match.inner.end)))
    return undefined
  const counts = !pattern.within || mayReachThreshold(text, start, compiled, pattern, threshold)
  return counts ? { start, end: text.length } : undefined
}

function* runsIn(marked: Uint8Array): Generator<OpenSpan> {
  for (let start = marked.indexOf(1); start >= 0;) {
    const after = marked.indexOf(0, start)
    const end = after < 0 ? marked.length : after
    yield { start, end }
    start = marked.indexOf(1, end)
  }
}

/** The runs of marked units, with neighbours joined; a run that only separators follow reaches to the end. */
function* mergedRuns(marked: Uint8Array, text: string): Generator<OpenSpan> {
  let last: OpenSpan | undefined
  for (const run of runsIn(marked)) {
    if (last && maySeparate(text, last.end, run.start)) last = { start: last.start, end: run.end }
    else {
      if (last) yield last
      last = run
    }
  }
  if (last) yield maySeparate(text, last.end, text.length) ? { ...last, end: text.length } : last
}
