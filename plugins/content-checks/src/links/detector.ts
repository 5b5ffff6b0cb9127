import { mapInTurns, Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import type { Inspection, OpenSpan, OpenSpansRequest, SpanDetector, SpanRequest } from '@sallyport/core'
import { optionsOf } from './check.js'
import { findingsOf, withNeighbours } from './clusters.js'
import type { Construct } from './constructs.js'
import { scoreWith, violationsIn } from './violations.js'
import { constructsIn } from './scan.js'
import { withinText, inspectionOf, openSpansOf } from '../detection.js'

/** Finds links, images and addresses to hosts that are not listed, in texts as they are: hosts are compared exactly. */
export class LinksDetector implements SpanDetector {
  async inspect({ text, before = '', ignore = [], options }: SpanRequest, call: Requester): Promise<Inspection> {
    const begin = performance.now()
    const [whole, pacer] = [before + text, new Pacer(call)]
    const score = scoreWith(optionsOf(options), ignore)
    const search = async (some: string) =>
      violationsIn(await mapInTurns(await allConstructsIn(some, pacer), pacer, score))
    const violations = (await search(whole)).filter(({ end }) => end > before.length)
    const found = await findingsOf(whole, violations, search, pacer)
    return inspectionOf(withinText(before, found), { detector: 'links/1', begin })
  }

  async openSpans({ text, options }: OpenSpansRequest, call: Requester): Promise<{ spans: OpenSpan[] }> {
    const pacer = new Pacer(call)
    const all = await mapInTurns(await allConstructsIn(text, pacer), pacer, scoreWith(optionsOf(options), []))
    const open = all.filter(({ isOpen }) => isOpen).map(({ start }) => ({ start, end: text.length }))
    const spans = await mapInTurns([...violationsIn(all), ...open], pacer, (span) => withNeighbours(text, span))
    return openSpansOf(spans)
  }
}

const allConstructsIn = async (text: string, pacer: Pacer): Promise<Construct[]> => {
  const constructs: Construct[] = []
  for (const construct of constructsIn(text)) {
    if (construct) constructs.push(construct)
    else await pacer.pause()
  }
  return constructs
}
