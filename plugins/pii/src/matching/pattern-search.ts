import { mapInTurns, Pacer } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { plainReading, positionOf, shownView } from '@sallyport/kit/views'
import type { View } from '@sallyport/kit/views'
import type { Call, OpenSpan } from '@sallyport/core'
import type { CompiledRecognizer } from './compiled.js'
import { disguised, encodedIn, foundInRow } from './encoded.js'
import { findingsOf } from './find.js'
import type { Found, Search } from './find.js'
import type { PartFinding } from './neighbours.js'
import { openSpans } from './open-spans.js'
import { TextIndex } from '../regex/text-index.js'
import { matchesOf } from '../regex/search.js'

/** A text whose patterns are looked for. */
export interface SearchedText {
  readonly text: string
  /** Words that give a number away may stand before it. */
  readonly before: string
  /** Types that are not looked for. */
  readonly ignored: ReadonlySet<string>
}

/** Blanks and lines between cells: columns are padded with them. */
const blanks = String.raw`[\s|]{0,140}`
/**
 * Whatever is found over elements of HTML has the sign of an address, words for it, or nine digits with no letter
 * between them but for zeros: other pages are searched once.
 */
const mayBeParted = new RegExp(
  String.raw`@|[[({<*~=_/-] ?at ?[\])}>*~=_/-]|\bdot\b|\d(?:${blanks}(?:[^\p{L}\d\s|]${blanks}){0,4}[\do]){8}`,
  'iu',
)

type CallContext = Pick<Call, 'signal' | 'tenant'>

/** What patterns find. */
export class PatternSearch {
  constructor(private readonly parts: Search) {}

  /** Where a text begins, nothing is open: searched from there, a text in segments has the findings of the whole. */
  async find({ text, before, ignored }: SearchedText, call: CallContext): Promise<PartFinding[]> {
    const pacer = new Pacer(call)
    const reading = await plainReading(before + text, pacer)
    const search = this.without(ignored)
    const found = await findAll(reading, search, pacer, before.length)
    const shown = await shownView(reading, pacer)
    if (shown && mayBeParted.test(shown.text))
      append(found, await findAll(shown, disguised(search), pacer, before.length))
    return mapInTurns(found, pacer, ({ recognizer, type, start, end, score }) => ({
      type,
      start: start - before.length,
      end: end - before.length,
      score,
      kind: recognizer.kind,
    }))
  }

  openSpans({ text, ignored }: Omit<SearchedText, 'before'>, call: CallContext): Promise<OpenSpan[]> {
    return openSpans(text, this.without(ignored), new Pacer(call))
  }

  private without(ignored: ReadonlySet<string>): Search {
    const recognizers = this.parts.recognizers.filter(({ recognizer }) => !ignored.has(recognizer.entity))
    return { ...this.parts, recognizers }
  }
}

/**
 * What the recognisers find, in units of the original.
 * @param from where matches may begin, in the original
 */
const findAll = async (reading: View, search: Search, pacer: Pacer, from = 0): Promise<Found[]> => {
  const found: Found[] = []
  const index = await TextIndex.of(reading.text, pacer)
  const first = positionOf(reading, from)
  for (const compiled of search.recognizers)
    for (const finding of findingsOf(reading.text, compiled, search, { index, first })) {
      if (finding) found.push({ ...finding, ...reading.sourceOf(finding) })
      await pacer.pause()
    }
  for (const row of encodedIn(reading.text, search, { first })) {
    const finding = row && foundInRow(row, search)
    if (finding) found.push({ ...finding, ...reading.sourceOf(finding) })
    await pacer.pause()
  }
  return found
}

/**
 * Patterns are translated when they are first used, for each way in which texts are kept, and better at the second
 * time. Those of whole texts come first: beyond 16 MB of translations, V8 optimises no more, and what comes then is five
 * times slower.
 */
export const warmUp = async (search: PatternSearch, recognizers: readonly CompiledRecognizer[]): Promise<void> => {
  const call = { signal: new AbortController().signal, tenant: '' }
  const texts = ['1 A', '1 A', '1 Ω', '1 Ω'].map((text) => ({ text, before: '', ignored: new Set<string>() }))
  for (const searched of texts) {
    for (const { patterns } of recognizers) for (const pattern of patterns) matchesOf(searched.text, pattern).next()
    await search.find(searched, call)
  }
  for (const searched of texts) await search.openSpans(searched, call)
}
