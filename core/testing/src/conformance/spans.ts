/** What streams, and values beside each other, rest on: where detectors of spans let a text be cut. */

import assert from 'node:assert/strict'
import type { AcrossRequest, Finding, OpenSpan, SpanDetector, SpanRequest } from '@sallyport/core'
import { randomNumbers } from '@sallyport/kit/numbers'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { assertSpan, testCall, valueUnless } from './support.js'

type Samples = NonNullable<ModelFacts['samples']>

const rounds = 1000
/** Texts with findings, of all, below which a property says nothing. */
const minShare = 0.05
/** Parts of a text at most. */
const maxParts = 8

/** A text, and a place in it. */
interface Round {
  readonly request: SpanRequest & { readonly text: string }
  readonly at: number
}

/** Always the same ones. Parts, among them the text that is found, are whole or cut somewhere. */
function* roundsOf({ parts: given }: ModelFacts, { flagged, harmless }: Samples): Generator<Round> {
  const parts = given ?? [flagged, harmless].flatMap(({ text }) => text.split(/(?<=\W)|(?=\W)/))
  const random = randomNumbers(1)
  const below = (most: number) => Math.floor(random() * most)
  const part = () => {
    const whole = below(6) === 0 ? flagged.text : (parts[below(parts.length)] ?? '')
    const [way, at] = [below(6), below(whole.length + 1)]
    return way === 0 ? whole.slice(at) : way === 1 ? whole.slice(0, at) : whole
  }
  for (let round = 0; round < rounds; round += 1) {
    const text = Array.from({ length: 1 + below(maxParts) }, part).join('')
    yield { request: { ...flagged, text }, at: below(text.length + 1) }
  }
}

const findingsOf = async (service: SpanDetector, request: SpanRequest): Promise<Finding[]> =>
  (await service.inspect(request, testCall())).findings

const isOpenAt = (position: number, spans: readonly OpenSpan[]) =>
  spans.some(({ start, end }) => start < position && position < end)

/** Undefined where the detector does not say; behind a kernel it has all methods, and refuses those that it has not. */
const openSpansOf = async (
  service: SpanDetector,
  { text, options }: SpanRequest,
): Promise<readonly OpenSpan[] | undefined> => {
  if (!service.openSpans) return undefined
  const asked = { text, ...(options === undefined ? {} : { options }) }
  const answer = await valueUnless(service.openSpans(asked, testCall()), 'unsupported')
  for (const span of answer?.spans ?? []) assertSpan(span, text.length)
  return answer?.spans
}

/** @param check says whether there was something to find */
const eachRound = async (facts: ModelFacts, samples: Samples, check: (round: Round) => Promise<boolean>) => {
  let found = 0
  for (const round of roundsOf(facts, samples)) if (await check(round)) found += 1
  assert.ok(found >= minShare * rounds, `of ${rounds} texts, ${found} say something: give the facts better parts`)
}

/** @param samplesOf texts of the check, of which others are made where the facts have no parts */
export const spanCases = (samplesOf: (facts: ModelFacts) => Samples): ConformanceCase<SpanDetector>[] =>
  cases<SpanDetector>({
    'openSpans: no cut that they allow goes through a finding, however the text goes on': async (service, facts) => {
      if (!(await openSpansOf(service, samplesOf(facts).flagged))) return
      await eachRound(facts, samplesOf(facts), async ({ request, at }) => {
        const findings = await findingsOf(service, request)
        const spans = (await openSpansOf(service, { ...request, text: request.text.slice(0, at) })) ?? []
        for (const { type, start, end } of findings)
          for (let position = start + 1; position < Math.min(end, at); position += 1)
            if (!isOpenAt(position, spans))
              assert.fail(
                `a cut at ${position} of ${JSON.stringify(request.text)}, of which ${at} have come, goes through ` +
                  `${type} (${start}..${end}): ${JSON.stringify(spans)}`,
              )
        return findings.length > 0
      })
    },
    'inspect: behind a cut that is allowed, the same is found as in the whole text, and nothing before it': async (
      service,
      facts,
    ) => {
      await eachRound(facts, samplesOf(facts), async ({ request: { text, ...rest }, at }) => {
        const behind = await findingsOf(service, { ...rest, before: text.slice(0, at), text: text.slice(at) })
        for (const finding of behind) assertSpan(finding, text.length - at)
        const spans = await openSpansOf(service, { ...rest, text })
        if (!spans || isOpenAt(at, spans)) return behind.length > 0
        for (const { type, start, end } of await findingsOf(service, { ...rest, text }))
          if (start >= at && !behind.some((one) => one.start <= start - at && end - at <= one.end))
            assert.fail(`${type} (${start}..${end}) of ${JSON.stringify(text)} is not found behind ${at}`)
        return behind.length > 0
      })
    },
    'inspectAcross: findings go over two to four values, none of which says it by itself': async (service, facts) => {
      if (!service.inspectAcross) return
      const { flagged } = samplesOf(facts)
      for (const { request, at } of roundsOf(facts, samplesOf(facts))) {
        const texts = [flagged.text, request.text.slice(0, at), request.text.slice(at), flagged.text]
        const across = service.inspectAcross(acrossOf(texts, request.options), testCall())
        for (const finding of (await valueUnless(across, 'unsupported'))?.findings ?? []) assertAcross(finding, texts)
      }
    },
  })

const acrossOf = (texts: readonly string[], options: unknown): AcrossRequest => ({
  values: texts.map((text) => ({ text })),
  ...(options === undefined ? {} : { options }),
})

/** UTF-16 units of the longest that values say together. */
const longest = 512

const assertAcross = (finding: Finding, texts: readonly string[]): void => {
  assertSpan(finding, texts.join('').length)
  assert.ok(finding.end - finding.start <= longest, `a finding has ${finding.end - finding.start} units`)
  let end = 0
  const over = texts.filter(({ length }) => {
    const start = end
    end += length
    return start < finding.end && finding.start < end
  })
  assert.ok(over.length >= 2 && over.length <= 4, `a finding goes over ${over.length} values: ${JSON.stringify(texts)}`)
}
