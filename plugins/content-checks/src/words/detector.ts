import { withoutHalfPair } from '@sallyport/kit/text'
import { failure, injectable } from '@sallyport/core'
import type { Call, Inspection, OpenSpan, OpenSpansRequest, SpanDetector, SpanRequest } from '@sallyport/core'
import { mapInTurns, runPaced, Pacer } from '@sallyport/kit/async'
import type { Steps } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { WordBounds } from './boundaries.js'
import type { WordsOptions } from './check.js'
import { foldText, maxHighlight, withoutDigits, withoutMarkup } from './folded.js'
import { listsOf } from './lists.js'
import type { WordLists } from './lists.js'
import { PatternSearch } from './pattern-search.js'
import { openRun } from './spaced.js'
import type { Hit } from './word-index.js'
import { withinText, inspectionOf } from '../detection.js'

/** Finds the words, phrases and patterns of the operator's lists. */
@injectable()
export class WordsDetector implements SpanDetector {
  private readonly patterns = new PatternSearch()

  /** @throws safeguard_unavailable where the options have no lists, or a pattern is invalid or takes too long */
  async inspect({ text, before = '', ignore = [], options }: SpanRequest, call: Call): Promise<Inspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const hits = await this.find(before + text, optionsOf(options), call)
    const findings = await mapInTurns(hits, new Pacer(call), (hit) => ({ ...hit, score: 1 }))
    const kept = withinText(before, findings).filter(({ type }) => !ignore.includes(type))
    return inspectionOf(kept, { detector: 'words/1', begin, introduction: 'found words of' })
  }

  async openSpans({ text, options }: OpenSpansRequest, call: Call): Promise<{ spans: OpenSpan[] }> {
    call.signal.throwIfAborted()
    const whole = withoutHalfPair(text)
    const lists = listsOf(optionsOf(options), call.tenant)
    const spans = [
      ...(await openWords(whole, 'kept', lists, call)),
      ...(await openWords(whole, 'folded', lists, call)),
      ...(await this.patterns.openSpans(whole, lists.patterns, call)),
    ]
    return { spans: spans.map(({ start, end }) => ({ start, end: end === whole.length ? text.length : end })) }
  }

  private async find(text: string, options: WordsOptions, call: Call): Promise<Hit[]> {
    const pacer = new Pacer(call)
    const lists = listsOf(options, call.tenant)
    const [folded, byPattern] = [await foldText(text, pacer), await this.patterns.find(text, lists.patterns, call)]
    const found = await wordsIn(folded.text, lists, pacer)
    const hits = await mapInTurns(found, pacer, (hit) => ({ type: hit.type, ...folded.sourceOf(hit) }))
    return [...hits, ...byPattern]
  }
}

/** Finds words in a folded text, also with markup inside. @param open gets the start of each unfinished word */
const wordsIn = async (
  text: string,
  lists: WordLists,
  pacer: Pacer,
  open?: (start: number) => void,
): Promise<Hit[]> => {
  const hits = await runPaced(hitsIn(text, lists, open), pacer)
  const shown = await withoutMarkup(text, pacer, open !== undefined)
  if (!shown) return hits
  const openShown = open && ((start: number) => open(shown.sourceOf({ start, end: start }).start))
  for (const hit of await runPaced(hitsIn(shown.text, lists, openShown), pacer)) {
    const { start, end } = shown.sourceOf(hit)
    // Words without markup have been found already.
    if (end - start <= hit.end - hit.start) continue
    hits.push({ type: hit.type, start, end })
    // A highlight that begins inside may end later.
    if (text.slice(start, end).includes('==') && text.length - end < maxHighlight) open?.(start)
  }
  return hits
}

/** Finds words in a text, also with letters for digits. @param open gets the start of each unfinished word */
function* hitsIn(text: string, { index, spaced }: WordLists, open?: (start: number) => void): Steps<Hit[]> {
  const run = openRun(text)
  if (run !== undefined) open?.(run)
  const plain = [...(yield* index.find(text, new WordBounds(text), open)), ...(yield* spaced.find(text))]
  const other = withoutDigits(text)
  if (other === undefined) return plain
  const disguised = yield* index.find(other, new WordBounds(other), open)
  // Words without such digits have been found already.
  return [...plain, ...disguised.filter(({ start, end }) => text.slice(start, end) !== other.slice(start, end))]
}

/** Refuses options without lists, by which every text would pass. @throws safeguard_unavailable */
const optionsOf = (options: unknown): WordsOptions => {
  const { words = [], lists = {} } = (options ?? {}) as WordsOptions
  if (words.length || Object.values(lists).some(({ length }) => length > 0)) return options as WordsOptions
  throw failure('safeguard_unavailable', { problem: 'the check words has no lists: give it words or lists' })
}

const openWords = async (text: string, last: 'kept' | 'folded', lists: WordLists, call: Call): Promise<OpenSpan[]> => {
  const pacer = new Pacer(call)
  const folded = await foldText(text, pacer, last)
  const { length } = folded.text
  const spans: OpenSpan[] = []
  const open = (start: number) => spans.push({ start, end: length })
  append(spans, await wordsIn(folded.text, lists, pacer, open))
  return spans.map((span) => ({ ...folded.sourceOf(span), ...(span.end === length && { end: text.length }) }))
}
