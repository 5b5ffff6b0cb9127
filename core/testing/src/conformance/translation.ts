import assert from 'node:assert/strict'
import type { LanguagePair, TranslationCapability, TranslationRequest, TranslationResult } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases, needs } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { rejectsWith, testCall } from './support.js'
import { assertScore } from './scores.js'

const needsTexts = needs('translations')

const requestOf = ({ translations }: ModelFacts, which: 0 | 1): TranslationRequest => {
  const { text, source, target } = translations?.[which] ?? assert.fail('no translations')
  return { text, source, target }
}

const bestCandidate = async (service: TranslationCapability, request: TranslationRequest) => {
  const { candidates } = await service.translate(request, testCall())
  return candidates[0] ?? assert.fail('no candidate came')
}

/** Translates a text in the languages of the facts. */
const translate = async (service: TranslationCapability, facts: ModelFacts, text: string) =>
  (await bestCandidate(service, { ...requestOf(facts, 0), text })).translation

export const translationCases: readonly ConformanceCase<TranslationCapability>[] = [
  ...callCases<TranslationCapability, TranslationRequest, TranslationResult>({
    method: 'translate',
    skipReason: needsTexts,
    request: requestOf,
    invoke: (service, request, call) => service.translate(request, call),
  }),
  ...callCases<TranslationCapability, object, { pairs: LanguagePair[] }>({
    method: 'pairs',
    withoutArguments: true,
    request: () => ({}),
    invoke: (service, request, call) => service.pairs(request, call),
  }),
  ...cases<TranslationCapability>({
    'pairs are language tags, each pair once': async (service) => {
      const { pairs } = await service.pairs({}, testCall())
      assert.ok(pairs.length > 0, 'nothing can be translated')
      for (const { source, target } of pairs)
        assert.equal(Intl.getCanonicalLocales([source, target]).length, 2, 'a pair is of one language')
      assert.equal(
        new Set(pairs.map(({ source, target }) => `${source} ${target}`)).size,
        pairs.length,
        'a pair is listed twice',
      )
    },
    'an unknown pair is refused with unsupported, and the message lists what there is': async (service) => {
      const { pairs } = await service.pairs({}, testCall())
      const { message } = await rejectsWith(
        service.translate({ text: 'hello', source: 'tlh', target: 'qya' }, testCall()),
        'unsupported',
      )
      const [first] = pairs
      assert.ok(first && message.includes(first.source) && message.includes(first.target), `no pairs in: ${message}`)
    },
  }),
  ...cases<TranslationCapability>(
    {
      'texts are translated': async (service, { translations = [] }) => {
        for (const { expected, ...request } of translations) {
          const { translation, status } = await bestCandidate(service, request)
          assert.equal(status, 'success')
          assert.ok(
            translation.toLowerCase().includes(expected.toLowerCase()),
            `"${expected}" is missing in: ${translation}`,
          )
        }
      },
      'candidates are best first, with scores in 0..1 and the name of the engine': async (service, facts) => {
        const { candidates } = await service.translate(requestOf(facts, 0), testCall())
        const firstBad = candidates.findIndex(({ status }) => status !== 'success')
        const lastGood = candidates.findLastIndex(({ status }) => status === 'success')
        assert.ok(firstBad === -1 || firstBad > lastGood, 'a vetoed or failed candidate stands before a good one')
        for (const { score, model } of candidates) {
          assertScore(score)
          assert.ok(model, 'the engine has no name')
        }
      },
      'numbers, addresses and placeholders stay': async (service, facts) => {
        const text = `${requestOf(facts, 0).text} 4711 https://example.org/a?b=1 {{name}}`
        const translation = await translate(service, facts, text)
        for (const part of ['4711', 'https://example.org/a?b=1', '{{name}}'])
          assert.ok(translation.includes(part), `${part} is missing in: ${translation}`)
      },
      'paragraphs stay': async (service, facts) => {
        const { text } = requestOf(facts, 0)
        const translation = await translate(service, facts, `${text}\n\n${text}\n${text}`)
        assert.deepEqual(translation.match(/\n+/g), ['\n\n', '\n'])
      },
      'marks of headings and lists stay': async (service, facts) => {
        const { text } = requestOf(facts, 0)
        const translation = await translate(service, facts, `# ${text}\n\n- ${text}\n- ${text}`)
        assert.match(translation, /^# [^\n]*\n\n- [^\n]*\n- [^\n]*$/)
      },
      'parts of a long text stay in their order': async (service, facts) => {
        const { text } = requestOf(facts, 0)
        const places = Array.from({ length: 12 }, (_, place) => `{{part${place}}}`)
        const translation = await translate(service, facts, places.map((place) => `${text} ${place}`).join('\n\n'))
        assert.deepEqual(translation.match(/\{\{part\d+\}\}/g), places)
      },
      'an empty text stays empty': async (service, facts) =>
        assert.equal((await translate(service, facts, '')).trim(), ''),
    },
    needsTexts,
  ),
]
