/** Cases of `openSpans`, `inspect` with a context, and `inspectAcross`, on which guarded streams and values rely. */

import assert from 'node:assert/strict'
import type { AcrossRequest, Finding, OpenSpan, SpanDetector, SpanRequest } from '@sallyport/core'
import { randomNumbers } from '@sallyport/kit/numbers'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts, Samples } from './facts.js'
import { longTextOf } from './samples.js'
import { assertSpan, testCall, valueUnless } from './support.js'

const rounds = 1000
/** The smallest share of texts with findings; with fewer, a property proves nothing. */
const minFindingShare = 0.05
/** Fragments of a text at most. */
const maxFragments = 8

/** A text, and a place in it. */
interface Round {
  readonly request: SpanRequest & { readonly text: string }
  readonly at: number
}

/** Random but reproducible texts of fragments, some of which are cut. The flagged text is one of the fragments. */
function* roundsOf({ fragments: given }: ModelFacts, { flagged, harmless }: Samples): Generator<Round> {
  const fragments = given ?? [flagged, harmless].flatMap(({ text }) => text.split(/(?<=\W)|(?=\W)/))
  const random = randomNumbers(1)
  const below = (limit: number) => Math.floor(random() * limit)
  const fragment = () => {
    const whole = below(6) === 0 ? flagged.text : (fragments[below(fragments.length)] ?? '')
    const [kind, at] = [below(6), below(whole.length + 1)]
    return kind === 0 ? whole.slice(at) : kind === 1 ? whole.slice(0, at) : whole
  }
  for (let round = 0; round < rounds; round += 1) {
    const text = Array.from({ length: 1 + below(maxFragments) }, fragment).join('')
    yield { request: { ...flagged, text }, at: below(text.length + 1) }
  }
}

const findingsOf = async (service: SpanDetector, request: SpanRequest): Promise<Finding[]> =>
  (await service.inspect(request, testCall())).findings

const isInsideOpenSpan = (position: number, spans: readonly OpenSpan[]) =>
  spans.some(({ start, end }) => start < position && position < end)

/** The open spans; undefined if the detector lacks the method: a kernel's service then refuses it. */
const openSpansOf = async (
  service: SpanDetector,
  { text, options }: SpanRequest,
): Promise<readonly OpenSpan[] | undefined> => {
  if (!service.openSpans) return undefined
  const request = { text, ...(options === undefined ? {} : { options }) }
  const answer = await valueUnless(service.openSpans(request, testCall()), 'unsupported')
  for (const span of answer?.spans ?? []) assertSpan(span, text.length)
  return answer?.spans
}

/** @param assertRound runs the assertions, and resolves with whether there are findings */
const eachRound = async (facts: ModelFacts, samples: Samples, assertRound: (round: Round) => Promise<boolean>) => {
  let found = 0
  for (const round of roundsOf(facts, samples)) if (await assertRound(round)) found += 1
  assert.ok(
    found >= minFindingShare * rounds,
    `of ${rounds} texts, ${found} have findings: give the facts better fragments`,
  )
}

/** @param samplesOf samples of the check, from whose words texts are made if the facts have no fragments */
export const spanCases = (samplesOf: (facts: ModelFacts) => Samples): ConformanceCase<SpanDetector>[] =>
  cases<SpanDetector>({
    'a flagged text has findings, at the end of a long text, too': async (service, facts) => {
      const { flagged, harmless } = samplesOf(facts)
      for (const before of ['', longTextOf(harmless.text)]) {
        const findings = await findingsOf(service, { ...flagged, text: before + flagged.text })
        assert.ok(findings.length > 0, `the flagged text has no findings behind ${before.length} code units`)
      }
    },
    'openSpans: no cut that they allow goes through a finding, however the text goes on': async (service, facts) => {
      if (!(await openSpansOf(service, samplesOf(facts).flagged))) return
      await eachRound(facts, samplesOf(facts), async ({ request, at }) => {
        const findings = await findingsOf(service, request)
        const spans = (await openSpansOf(service, { ...request, text: request.text.slice(0, at) })) ?? []
        for (const { type, start, end } of findings)
          for (let position = start + 1; position < Math.min(end, at); position += 1)
            if (!isInsideOpenSpan(position, spans))
              assert.fail(
                `a cut at ${position} of ${JSON.stringify(request.text)}, of which ${at} have come, goes through ` +
                  `${type} (${start}..${end}): ${JSON.stringify(spans)}`,
              )
        return findings.length > 0
      })
    },
    'inspect: after a cut that is allowed, the same is found as in the whole text, and nothing before it': async (
      service,
      facts,
    ) => {
      await eachRound(facts, samplesOf(facts), async ({ request: { text, ...rest }, at }) => {
        const found = await findingsOf(service, { ...rest, before: text.slice(0, at), text: text.slice(at) })
        for (const finding of found) assertSpan(finding, text.length - at)
        const spans = await openSpansOf(service, { ...rest, text })
        if (!spans || isInsideOpenSpan(at, spans)) return found.length > 0
        for (const { type, start, end } of await findingsOf(service, { ...rest, text }))
          if (start >= at && !found.some((one) => one.start <= start - at && end - at <= one.end))
            assert.fail(`${type} (${start}..${end}) of ${JSON.stringify(text)} is not found after ${at}`)
        return found.length > 0
      })
    },
    'inspectAcross: each finding covers two to four values': async (service, facts) => {
      if (!service.inspectAcross) return
      const { flagged } = samplesOf(facts)
      for (const { request } of roundsOf(facts, samplesOf(facts))) {
        const cut = (part: number) => Math.floor((request.text.length * part) / partsOfText)
        const parts = Array.from({ length: partsOfText }, (_, part) => request.text.slice(cut(part), cut(part + 1)))
        const texts = [flagged.text, ...parts, flagged.text]
        const across = service.inspectAcross(acrossOf(texts, request.options), testCall())
        for (const finding of (await valueUnless(across, 'unsupported'))?.findings ?? []) assertAcross(finding, texts)
      }
    },
  })

const acrossOf = (texts: readonly string[], options: unknown): AcrossRequest => ({
  values: texts.map((text) => ({ text })),
  ...(options === undefined ? {} : { options }),
})

/** A text is cut into more values than a finding may cover. */
const partsOfText = 6

/** The limit, in UTF-16 code units, of a finding across values. */
const maxFindingLength = 512

const assertAcross = (finding: Finding, texts: readonly string[]): void => {
  assertSpan(finding, texts.join('').length)
  assert.ok(finding.end - finding.start <= maxFindingLength, `a finding has ${finding.end - finding.start} units`)
  let end = 0
  const { length: count } = texts.filter(({ length }) => {
    const start = end
    end += length
    return length > 0 && start < finding.end && finding.start < end
  })
  assert.ok(count >= 2 && count <= 4, `a finding covers ${count} values: ${JSON.stringify(texts)}`)
}
