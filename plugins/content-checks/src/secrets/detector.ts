import { withoutHalfPair } from '@sallyport/kit/text'
import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { append } from '@sallyport/kit/lists'
import { plainReading } from '@sallyport/kit/views'
import type { Span, View } from '@sallyport/kit/views'
import type { AcrossRequest, Finding, Inspection, OpenSpansRequest, SpanDetector, SpanRequest } from '@sallyport/core'
import { tokensAcross } from './across.js'
import { blocksIn } from './blocks.js'
import type { Candidate } from './candidate.js'
import { optionsOf } from './check.js'
import type { SecretsOptions } from './check.js'
import { credentialsInContext } from './context-search.js'
import { tokensIn } from './token-search.js'
import { withinText, inspectionOf, openSpansOf, withoutContained } from '../detection.js'

/** Finds credentials by their form and by the text before them, and private keys; it needs no model. */
export class SecretsDetector implements SpanDetector {
  async inspect({ text, before = '', ignore = [], options }: SpanRequest, call: Requester): Promise<Inspection> {
    const begin = performance.now()
    const pacer = new Pacer(call)
    const reading = await plainReading(before + text, pacer)
    const findingsOf = findingsIn(reading, ignore, optionsOf(options))
    const found: Finding[] = []
    await eachCandidate(reading, pacer, (candidate) => append(found, findingsOf(candidate)))
    return inspectionOf(withoutContained(withinText(before, found)), { detector: 'secrets/1', begin })
  }

  async inspectAcross({ values, ignore = [], options }: AcrossRequest, call: Requester): Promise<Inspection> {
    const begin = performance.now()
    const pacer = new Pacer(call)
    const reading = await plainReading(values.map(({ text }) => text).join(''), pacer)
    const candidates = await tokensAcross(readValues(values, reading), pacer)
    const findings = candidates.flatMap(findingsIn(reading, ignore, optionsOf(options)))
    return inspectionOf(withoutContained(findings), { detector: 'secrets-across/1', begin })
  }

  /** Reads the last word in both ways, as it is not known yet whether it is Latin. */
  async openSpans({ text }: OpenSpansRequest, call: Requester) {
    const pacer = new Pacer(call)
    const whole = withoutHalfPair(text)
    const kept = await plainReading(whole, pacer, 'kept')
    const spans = await spansOf(kept, text.length, pacer)
    if (kept.text === whole) return openSpansOf(spans)
    const folded = await plainReading(whole, pacer, 'folded')
    return openSpansOf([...spans, ...(await spansOf(folded, text.length, pacer))])
  }
}

/** Turns candidates into findings; none for what is no secret, or is ignored or allowed. */
const findingsIn =
  ({ text, sourceOf }: View, ignore: readonly string[], { allow }: SecretsOptions) =>
  ({ type, start, end, score }: Candidate): Finding[] =>
    score === undefined || ignore.includes(type) || allow.includes(text.slice(start, end))
      ? []
      : [{ type, ...sourceOf({ start, end }), score }]

/** The plain readings of the values. */
const readValues = (values: AcrossRequest['values'], { text, sourceOf }: View): string[] => {
  const written = values.map((value) => value.text)
  if (text === written.join('')) return written
  let [end, at] = [0, 0]
  return values.map((value) => {
    const start = at
    end += value.text.length
    while (at < text.length && sourceOf({ start: at, end: at + 1 }).start < end) at += 1
    return text.slice(start, at)
  })
}

const eachCandidate = async ({ text }: View, pacer: Pacer, take: (candidate: Candidate) => void): Promise<void> => {
  for (const search of [blocksIn, tokensIn, credentialsInContext])
    for (const candidate of search(text)) {
      if (candidate) take(candidate)
      else await pacer.pause()
    }
}

const spansOf = async (reading: View, length: number, pacer: Pacer): Promise<Span[]> => {
  const spans: Span[] = []
  await eachCandidate(reading, pacer, ({ start, end, reach }) => {
    const isOpen = reach >= reading.text.length
    const span = reading.sourceOf({ start, end: Math.max(end, isOpen ? reach : start) })
    spans.push(isOpen ? { start: span.start, end: length } : span)
  })
  return spans
}
