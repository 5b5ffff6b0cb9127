import { mapInTurns, Pacer } from '@sallyport/kit/async'
import type { Call, Finding, Inspection, OpenSpan, OpenSpansRequest, SpanDetector, SpanRequest } from '@sallyport/core'
import { optionsOf } from './check.js'
import { findingsOf, withNeighbours } from './clusters.js'
import type { Construct } from './constructs.js'
import { judged, scored } from './judge.js'
import { constructsIn } from './scan.js'
import { inspectionOf, unitedSpans } from '../spans.js'

type Asking = Pick<Call, 'signal' | 'tenant'>

/** Links, images and addresses to hosts that are not listed. Texts are read as they stand: hosts are compared exactly. */
export class LinksDetector implements SpanDetector {
  async inspect({ text, before = '', ignore = [], options }: SpanRequest, call: Asking): Promise<Inspection> {
    const begin = performance.now()
    const [whole, pacer] = [before + text, new Pacer(call)]
    const score = scored(optionsOf(options), ignore)
    const badIn = async (some: string) => judged(await mapInTurns(await scanned(some, pacer), pacer, score))
    const bad = (await badIn(whole)).filter(({ end }) => end > before.length)
    const found = await findingsOf(whole, bad, badIn, pacer)
    const findings = found.flatMap((finding) => inText(finding, before.length))
    return inspectionOf(findings, 'links/1', begin)
  }

  async openSpans({ text, options }: OpenSpansRequest, call: Asking): Promise<{ spans: OpenSpan[] }> {
    const pacer = new Pacer(call)
    const all = await mapInTurns(await scanned(text, pacer), pacer, scored(optionsOf(options), []))
    const open = all.filter(({ isOpen }) => isOpen).map(({ start }) => ({ start, end: text.length }))
    const spans = await mapInTurns([...judged(all), ...open], pacer, (span) => withNeighbours(text, span))
    return { spans: unitedSpans(spans) }
  }
}

const scanned = async (text: string, pacer: Pacer): Promise<Construct[]> => {
  const constructs: Construct[] = []
  for (const construct of constructsIn(text)) {
    if (construct) constructs.push(construct)
    else await pacer.pause()
  }
  return constructs
}

const inText = (finding: Finding, offset: number): Finding[] =>
  finding.end > offset ? [{ ...finding, start: Math.max(0, finding.start - offset), end: finding.end - offset }] : []
