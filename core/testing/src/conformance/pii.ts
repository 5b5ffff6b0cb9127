import assert from 'node:assert/strict'
import type { Call, SpanDetector, Replacement, ReplaceMethod, ReplaceRequest, Finding } from '@sallyport/core'
import { luhn } from '../reference/pii.js'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { inspect, spanDetectorCases } from './detectors.js'
import { assertWellFormed, testCall } from './support.js'

const email = 'jane.doe@example.org'
const card = '4111 1111 1111 1111'
const text = `👩‍👩‍👧‍👦 Write to ${email}, charge ${card}, then to ${email} again. שלום`
const methods: readonly ReplaceMethod[] = ['random', 'fake', 'category', 'mask']

const finding = (type: string, value: string, from = 0): Finding => {
  const start = text.indexOf(value, from)
  return { type, start, end: start + value.length, score: 0.9 }
}

const findings: Finding[] = [
  finding('EMAIL_ADDRESS', email),
  finding('CREDIT_CARD', card),
  finding('EMAIL_ADDRESS', email, text.indexOf(card)),
]

const replace = (service: SpanDetector, request: Partial<ReplaceRequest>, tenant = 'conformance') =>
  callReplace(service, { text, findings, method: 'random', ...request }, testCall({ tenant }))

const callReplace = (service: SpanDetector, request: ReplaceRequest, call: Call): Promise<Replacement> => {
  if (!service.replace) assert.fail('the detector has no replace()')
  return service.replace(request, call)
}

const substitutes = ({ text: replaced, spans }: Replacement): string[] =>
  spans.map(({ start, end }) => replaced.slice(start, end))

/** The parts of the text outside the spans. */
const textOutside = (whole: string, spans: readonly { start: number; end: number }[]): string[] =>
  [...spans, { start: whole.length, end: whole.length }].map(({ start }, index) =>
    whole.slice(spans[index - 1]?.end ?? 0, start),
  )

/** The text with upper-case letters as A, lower-case ones as a, and digits as 0. */
const shapeOf = (value: string) =>
  value
    .replace(/\p{Lu}/gu, 'A')
    .replace(/\p{Ll}/gu, 'a')
    .replace(/\d/g, '0')

export const piiCases: readonly ConformanceCase<SpanDetector>[] = [
  ...spanDetectorCases({
    flagged: { text: `Write to ${email} or charge ${card}.` },
    harmless: { text: 'The weather is fine today, and the trains run on time.' },
  }),
  ...callCases<SpanDetector, ReplaceRequest, Replacement>({
    method: 'replace',
    request: (_, which) => ({ text, findings, method: which ? 'mask' : 'random' }),
    invoke: callReplace,
  }),
  ...cases<SpanDetector>({
    'an e-mail address and a card number are found where they stand, in UTF-16 code units': async (service) => {
      const found = (await inspect(service, { text })).findings
      for (const { type, start, end } of findings)
        assert.ok(
          found.some((one) => one.type === type && one.start === start && one.end === end),
          `${type} at ${start}`,
        )
    },
    'a number that fails its check is not a card number': async (service) => {
      const found = (await inspect(service, { text: 'The serial number is 4111 1111 1111 1112.' })).findings
      assert.deepEqual(
        found.filter(({ type, score }) => type === 'CREDIT_CARD' && score >= 0.5),
        [],
      )
    },
    'replacement keeps the rest as it is, and says where it put what': async (service) => {
      for (const method of methods) {
        const replaced = await replace(service, { method })
        assert.deepEqual(textOutside(replaced.text, replaced.spans), textOutside(text, findings), method)
        assert.deepEqual(
          replaced.spans.map(({ type }) => type),
          findings.map(({ type }) => type),
        )
        assertWellFormed(replaced.text)
      }
    },
    'nothing of the original is left, by any method': async (service) => {
      for (const method of methods) {
        const { text: replaced } = await replace(service, { method })
        for (const secret of [email, 'jane.doe', card])
          assert.ok(!replaced.includes(secret), `${method} left ${secret}`)
      }
    },
    'mask puts an asterisk, category the type': async (service) => {
      assert.deepEqual(substitutes(await replace(service, { method: 'mask' })), ['*', '*', '*'])
      const types = findings.map(({ type }) => `<${type}>`)
      assert.deepEqual(substitutes(await replace(service, { method: 'category' })), types)
    },
    'random keeps the shape': async (service) => {
      const [first = '', second = ''] = substitutes(await replace(service, { method: 'random' }))
      assert.equal(shapeOf(first), shapeOf(email))
      assert.equal(shapeOf(second), shapeOf(card))
    },
    'fake keeps format and check digits': async (service) => {
      const [first = '', second = ''] = substitutes(await replace(service, { method: 'fake' }))
      assert.match(first, /^[^@\s]+@[^@\s]+\.[a-z]+$/)
      assert.equal(shapeOf(second), shapeOf(card))
      assert.equal(luhn(second), 0, `${second} fails the check of card numbers`)
    },
    'the same original has the same replacement, in one text and in the next': async (service) => {
      for (const method of methods) {
        const [first, , third] = substitutes(await replace(service, { method }))
        assert.equal(first, third, method)
        const next = {
          text: email,
          findings: [{ type: 'EMAIL_ADDRESS', start: 0, end: email.length, score: 1 }],
          method,
        }
        assert.equal((await replace(service, next)).text, first, method)
      }
    },
    'another tenant gets another replacement': async (service) => {
      const [one, other] = [await replace(service, {}, 'tenant-1'), await replace(service, {}, 'tenant-2')]
      assert.notDeepEqual(substitutes(one), substitutes(other))
    },
    'of overlapping findings the longest wins, then the best score, in whatever order they come': async (service) => {
      const overlapping: Finding[] = [
        { type: 'URL', start: 3, end: 8, score: 1 },
        { type: 'PERSON', start: 0, end: 8, score: 0.4 },
        { type: 'LOCATION', start: 10, end: 14, score: 0.3 },
        { type: 'NRP', start: 10, end: 14, score: 0.6 },
      ]
      for (const order of [overlapping, [...overlapping].reverse()]) {
        const replaced = await replace(service, { text: 'jane.doe, rome.', findings: order, method: 'category' })
        assert.equal(replaced.text, '<PERSON>, <NRP>.')
      }
    },
    'without findings nothing changes': async (service) =>
      assert.deepEqual({ ...(await replace(service, { findings: [] })) }, { text, spans: [] }),
  }),
]
