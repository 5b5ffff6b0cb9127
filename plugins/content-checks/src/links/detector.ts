import { Pacer } from '@sallyport/kit/async'
import type { Call, Finding, Inspection, OpenSpan, OpenSpansRequest, SpanDetector, SpanRequest } from '@sallyport/core'
import { optionsOf } from './check.js'
import type { LinksOptions } from './check.js'
import { findingsOf, withNeighbours } from './clusters.js'
import type { Judged } from './clusters.js'
import type { Construct } from './constructs.js'
import { judge } from './judge.js'
import { constructsIn } from './scan.js'
import { inspectionOf, unitedSpans } from '../spans.js'

type Asking = Pick<Call, 'signal' | 'tenant'>

/** Links, images and addresses to hosts that are not listed. Texts are read as they stand: hosts are compared exactly. */
export class LinksDetector implements SpanDetector {
  async inspect({ text, before = '', ignore = [], options }: SpanRequest, call: Asking): Promise<Inspection> {
    const begin = performance.now()
    const known = optionsOf(options)
    const whole = before + text
    const { judged } = await judgedIn(whole, known, new Pacer(call))
    const wanted = judged.filter(({ type, end }) => end > before.length && !ignore.includes(type))
    const found = findingsOf(whole, wanted, (left) => badIn(left, known, ignore))
    return inspectionOf(found.flatMap((finding) => inText(finding, before.length)), 'links/1', begin)
  }

  async openSpans({ text, options }: OpenSpansRequest, call: Asking): Promise<{ spans: OpenSpan[] }> {
    const { judged, open } = await judgedIn(text, optionsOf(options), new Pacer(call))
    const spans = [...judged, ...open.map(({ start }) => ({ start, end: text.length }))]
    return { spans: unitedSpans(spans.map((span) => withNeighbours(text, span))) }
  }
}

const judgedIn = async (text: string, options: LinksOptions, pacer: Pacer) => {
  const judged: Judged[] = []
  const open: Construct[] = []
  for (const construct of constructsIn(text)) {
    if (!construct) {
      await pacer.pause()
      continue
    }
    if (construct.isOpen) open.push(construct)
    const score = judge(construct, options)
    if (score !== undefined) judged.push({ ...construct, score })
  }
  return { judged, open }
}

const badIn = (left: string, options: LinksOptions, ignore: readonly string[]): Judged[] =>
  Array.from(constructsIn(left)).flatMap((construct) => {
    const score = construct && !ignore.includes(construct.type) ? judge(construct, options) : undefined
    return construct && score !== undefined ? [{ ...construct, score }] : []
  })

const inText = (finding: Finding, offset: number): Finding[] =>
  finding.end > offset ? [{ ...finding, start: Math.max(0, finding.start - offset), end: finding.end - offset }] : []
