/** The promise of a detector's open spans, for each cut of a text. */

import { expect } from 'chai'
import type { SpanDetector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'

/** @returns the first cut that goes through a finding and is free, described */
const cutThrough = async (detector: SpanDetector, text: string, length: number) => {
  const { findings } = await detector.inspect({ text }, testCall())
  const spans = (await detector.openSpans?.({ text: text.slice(0, length) }, testCall()))?.spans ?? []
  for (const { type, start, end } of findings)
    for (let position = start + 1; position < Math.min(end, length); position += 1)
      if (!spans.some((span) => span.start < position && position < span.end))
        return `a cut at ${position} of ${JSON.stringify(text)}, of which ${length} have come, goes through ${type} (${start}–${end}): ${JSON.stringify(spans)}`
  return undefined
}

/** Every cut of one text. */
export const expectNoCutIn = async (detector: SpanDetector, text: string): Promise<void> => {
  for (let length = 1; length < text.length; length += 1)
    expect(await cutThrough(detector, text, length)).to.equal(undefined)
}

/** What leaves a stream while a text grows: up to where it may be cut last. */
export const lastCut = async (detector: SpanDetector, text: string): Promise<number> => {
  const spans = (await detector.openSpans?.({ text }, testCall()))?.spans ?? []
  const open = spans.find(({ end }) => end >= text.length)
  return open?.start ?? text.length
}
