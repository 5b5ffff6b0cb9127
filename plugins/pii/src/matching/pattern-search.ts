import { mapInTurns, Pacer } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { plainReading, positionOf, shownView } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import type { Call, OpenSpan } from '@sallyport/core'
import type { CompiledRecognizer } from './compiled.js'
import { encodedSearch, base64RunsIn, findingInBase64 } from './encoded.js'
import { findingsOf } from './find.js'
import type { RecognizerFinding, Search } from './find.js'
import type { FindingWithKind } from './neighbours.js'
import { openSpans } from './open-spans.js'
import { TextIndex } from '../regex/text-index.js'
import { matchesOf } from '../regex/search.js'
import { raw } from '../patterns/raw-regex.js'

export type CallContext = Pick<Call, 'signal' | 'tenant'>

export interface SearchRequest {
  readonly text: string
  /** The text before it, which may have context words for its first number. */
  readonly before: string
  /** Entity types that are not searched. */
  readonly ignored: ReadonlySet<string>
}

/** Spaces and bars that pad the columns of tables. */
const padding = String.raw`[\s|]{0,140}`
/**
 * What a text without its tags contains if it has findings across tags of HTML: an `@`, a word for it or for a dot, or
 * nine digits without letters between them (other than o for zero).
 */
const mayCrossTags = raw.iu`@|[[({<*~=_/-] ?at ?[\])}>*~=_/-]|\bdot\b|\d(?:${padding}(?:[^\p{L}\d\s|]${padding}){0,4}[\do]){8}`

export class PatternSearch {
  constructor(private readonly search: Search) {}

  /** As a stream is never cut inside an open span, its segments together have the same findings as the whole text. */
  async find({ text, before, ignored }: SearchRequest, call: CallContext): Promise<FindingWithKind[]> {
    const pacer = new Pacer(call)
    const reading = await plainReading(before + text, pacer)
    const search = this.without(ignored)
    const findings = await findAll(reading, search, pacer, before.length)
    const shown = await shownView(reading, pacer)
    if (shown && mayCrossTags.test(shown.text))
      append(findings, await findAll(shown, encodedSearch(search), pacer, before.length))
    return mapInTurns(findings, pacer, ({ recognizer: { kind }, type, start, end, score }) => {
      return { type, start: start - before.length, end: end - before.length, score, kind }
    })
  }

  openSpans({ text, ignored }: Omit<SearchRequest, 'before'>, call: CallContext): Promise<OpenSpan[]> {
    return openSpans(text, this.without(ignored), new Pacer(call))
  }

  private without(ignored: ReadonlySet<string>): Search {
    const recognizers = this.search.recognizers.filter(({ recognizer }) => !ignored.has(recognizer.entity))
    return { ...this.search, recognizers }
  }
}

/**
 * Findings of all recognisers, as spans of the original text.
 * @param from where matches may begin, in the original
 */
const findAll = async (reading: View, search: Search, pacer: Pacer, from = 0): Promise<RecognizerFinding[]> => {
  const findings: RecognizerFinding[] = []
  const index = await TextIndex.inTurns(reading.text, pacer)
  const first = positionOf(reading, from)
  for (const compiled of search.recognizers)
    for (const finding of findingsOf(reading.text, compiled, search, { index, first })) {
      if (finding) findings.push({ ...finding, ...reading.sourceOf(finding) })
      await pacer.pause()
    }
  for (const run of base64RunsIn(reading.text, search, { first })) {
    const finding = run && findingInBase64(run, search)
    if (finding) findings.push({ ...finding, ...reading.sourceOf(finding) })
    await pacer.pause()
  }
  return findings
}

/**
 * Has V8 compile all patterns: it does so at first use, for Latin-1 and two-byte strings apart, and optimises them at
 * the second use. Patterns for whole texts come first, since V8 stops optimising after 16 MB of code, and patterns that
 * come later are five times slower.
 */
export const warmUp = async (search: PatternSearch, recognizers: readonly CompiledRecognizer[]): Promise<void> => {
  const call = { signal: new AbortController().signal, tenant: '' }
  const requests = ['1 A', '1 A', '1 Ω', '1 Ω'].map((text) => ({ text, before: '', ignored: new Set<string>() }))
  for (const request of requests) {
    for (const { patterns } of recognizers) for (const pattern of patterns) matchesOf(request.text, pattern).next()
    await search.find(request, call)
  }
  for (const request of requests) await search.openSpans(request, call)
}
