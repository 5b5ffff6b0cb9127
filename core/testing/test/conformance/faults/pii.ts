import { pii } from '@sallyport/checks'
import type { Finding, SpanDetector, Replacement, ReplaceMethod, Detector } from '@sallyport/core'
import { references } from '../../reference/references.js'
import { plant } from '../plant.js'
import type { Wrap } from '../plant.js'
import { answeredBy, askedOf, callFaults, calling } from './calls.js'
import { detectorFaults } from './detectors.js'

/** Plants a detector's fault, and leaves the replacer as it is. */
const withReplace =
  (wrap: Wrap<Detector>): Wrap<SpanDetector> =>
  (sound) => {
    const faulty = wrap(sound)
    return {
      inspect: (request, call) => faulty.inspect(request, call),
      ...(sound.replace && { replace: sound.replace.bind(sound) }),
    }
  }

const changeFindings = (change: (findings: Finding[], text: string) => Finding[]) =>
  answeredBy<SpanDetector, 'inspect'>('inspect', (report, { text }) => ({
    ...report,
    findings: change(report.findings, text),
  }))

/** Changes what stands at the spans, and moves the spans along. */
const changeSubstitutes = (when: ReplaceMethod, change: (substitute: string, position: number) => string) =>
  answeredBy<SpanDetector, 'replace'>('replace', (result, { method }) =>
    method === when ? rewritten(result, change) : result,
  )

const rewritten = (
  { text, spans }: Replacement,
  change: (substitute: string, position: number) => string,
): Replacement => {
  const result: Replacement = { text: '', spans: [] }
  let copied = 0
  for (const [position, { start, end, type }] of spans.entries()) {
    result.text += text.slice(copied, start)
    const substitute = change(text.slice(start, end), position)
    result.spans.push({ start: result.text.length, end: result.text.length + substitute.length, type })
    result.text += substitute
    copied = end
  }
  return { ...result, text: result.text + text.slice(copied) }
}

/** Looks at all values joined; what it reports must be split over some of them. */
const across =
  (isReported: (finding: Finding, ends: readonly number[]) => boolean): Wrap<SpanDetector> =>
  (sound) =>
    calling<SpanDetector, 'inspectAcross'>('inspectAcross', () => async ({ values }, call) => {
      let length = 0
      const ends = values.map(({ text }) => (length += text.length))
      const report = await sound.inspect({ text: values.map(({ text }) => text).join('') }, call)
      return { ...report, findings: report.findings.filter((finding) => isReported(finding, ends)) }
    })(sound)

const isSplit = ({ start, end }: Finding, ends: readonly number[]) => ends.some((at) => start < at && at < end)

const isSplitOverFour = (finding: Finding, ends: readonly number[]) =>
  isSplit(finding, ends) && new Set(ends.filter((at) => finding.start < at && at < finding.end)).size < 4

const codePoints = (text: string, position: number) => Array.from(text.slice(0, position)).length

export const piiFaults = plant<SpanDetector>({
  capability: pii,
  ...references.pii,
  faults: {
    ...Object.fromEntries(Object.entries(detectorFaults).map(([name, wrap]) => [name, withReplace(wrap)])),
    'openSpans: no cut that they allow goes through a finding, however the text goes on': answeredBy(
      'openSpans',
      ({ spans }, { text }) => ({ spans: spans.filter(({ end }) => end < text.length) }),
    ),
    'inspect: after a cut that is allowed, the same is found as in the whole text, and nothing before it': answeredBy(
      'inspect',
      ({ findings, ...report }, { before = '' }) => ({ ...report, findings: before ? findings.slice(1) : findings }),
    ),
    'inspectAcross: each finding covers two to four values': {
      facts: {},
      sound: across(isSplitOverFour),
      faulty: across(isSplit),
    },
    'a flagged text has findings, at the end of a long text, too': changeFindings((findings, text) =>
      text.length < 10_000 ? findings : [],
    ),
    ...callFaults<SpanDetector, 'replace'>('replace', (result, times) => ({ ...result, text: `${times}` })),
    'an e-mail address and a card number are found where they stand, in UTF-16 code units': changeFindings(
      (findings, text) =>
        findings.map(({ start, end, ...finding }) => ({
          ...finding,
          start: codePoints(text, start),
          end: codePoints(text, end),
        })),
    ),
    'a number that fails its check is not a card number': changeFindings((findings, text) => {
      const start = text.search(/(?:\d{4} ){3}\d{4}/)
      return start < 0 ? findings : [...findings, { type: 'CREDIT_CARD', start, end: start + 19, score: 0.9 }]
    }),
    'replacement keeps the rest as it is, and says where it put what': answeredBy('replace', ({ text, spans }) => ({
      text: text.normalize('NFKD').replaceAll('\u200D', ''),
      spans,
    })),
    'nothing of the original is left, by any method': answeredBy('replace', (result, { method, text }) =>
      method === 'fake' ? { ...result, text } : result,
    ),
    'mask puts an asterisk, category the type': changeSubstitutes('mask', () => '***'),
    'random keeps the shape': changeSubstitutes('random', (substitute) => substitute.replaceAll(/\d/g, 'x')),
    'fake keeps format and check digits': changeSubstitutes('fake', (substitute) =>
      substitute.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)),
    ),
    'the same original has the same replacement, in one text and in the next': changeSubstitutes(
      'fake',
      (substitute, position) => `${position}${substitute}`,
    ),
    'another tenant gets another replacement': calling(
      'replace',
      (inner) => (request, call) => inner(request, { ...call, tenant: 'everybody' }),
    ),
    'of overlapping findings the longest wins, then the best score, in whatever order they come': askedOf(
      'replace',
      ({ findings, ...request }) => ({
        ...request,
        findings: findings.filter(
          (one, index) => !findings.slice(0, index).some(({ start, end }) => one.start < end && start < one.end),
        ),
      }),
    ),
    'without findings nothing changes': answeredBy('replace', ({ text, spans }, { findings }) => ({
      text: findings.length ? text : text.trim().toLowerCase(),
      spans,
    })),
  },
})
