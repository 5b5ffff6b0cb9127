/** The promise of a detector's open spans, as a property of texts that are put together of parts. */

import { expect } from 'chai'
import fc from 'fast-check'
import type { SpanDetector } from '@sallyport/core'
import { testCall } from '@sallyport/testing'

/** Texts of parts that forms are made of, and of signs that part them. */
export const textsOf = (parts: readonly string[], maxLength = 10): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...parts) }, fc.string({ maxLength: 3 })), { maxLength })
    .map((all) => all.join(''))

/** @returns the first cut that goes through a finding and is free, described */
const cutThrough = async (detector: SpanDetector, text: string, length: number, options?: object) => {
  const { findings } = await detector.inspect({ text, ...(options && { options }) }, testCall())
  const spans =
    (await detector.openSpans?.({ text: text.slice(0, length), ...(options && { options }) }, testCall()))?.spans ?? []
  for (const { type, start, end } of findings)
    for (let position = start + 1; position < Math.min(end, length); position += 1)
      if (!spans.some((span) => span.start < position && position < span.end))
        return `a cut at ${position} of ${JSON.stringify(text)}, of which ${length} have come, goes through ${type} (${start}–${end}): ${JSON.stringify(spans)}`
  return undefined
}

export const expectNoCut = (detector: SpanDetector, texts: fc.Arbitrary<string>, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(texts, fc.nat(), async (text, at) => {
      const problem = await cutThrough(detector, text, at % (text.length + 1))
      if (problem !== undefined) expect.fail(problem)
    }),
    { numRuns },
  )

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
