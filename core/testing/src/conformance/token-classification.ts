import assert from 'node:assert/strict'
import type { ClassifiedSpan, TokenClassificationCapability } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { assertSpan, assertPresent, testCall } from './support.js'
import { allTexts } from './samples.js'
import { assertSameScore, assertScore } from './scores.js'

const name = 'Angela Merkel'
const meeting = `Yesterday ${name} met Emmanuel Macron.`
const letter = `A letter from ${name} came, which nobody had expected.`
const texts = [meeting, letter, 'nothing here']

const classify = async (service: TokenClassificationCapability, texts: string[]) =>
  (await service.classify({ texts }, testCall())).spans

const assertSameSpans = (actual: readonly ClassifiedSpan[], expected: readonly ClassifiedSpan[]): void => {
  assert.equal(actual.length, expected.length, 'the number of spans differs')
  for (const [index, { label, start, end, score }] of actual.entries()) {
    const other = assertPresent(expected[index], 'a span')
    assert.deepEqual({ label, start, end }, { label: other.label, start: other.start, end: other.end })
    assertSameScore(score, other.score)
  }
}

/** Asserts that some span is the name, or a part of it with the surname. */
const assertFinds = async (service: TokenClassificationCapability, text: string): Promise<void> => {
  const [spans = []] = await classify(service, [text])
  const found = spans.map(({ start, end }) => text.slice(start, end))
  assert.ok(
    found.some((one) => one.includes('Merkel') && name.includes(one.trim())),
    `the name is not among ${JSON.stringify(found)}`,
  )
}

export const tokenClassificationCases: readonly ConformanceCase<TokenClassificationCapability>[] = [
  ...callCases<TokenClassificationCapability, { texts: string[] }, { spans: ClassifiedSpan[][] }>({
    method: 'classify',
    request: (_, which) => ({ texts: [which ? letter : meeting] }),
    invoke: (service, request, call) => service.classify(request, call),
    assertSame: (actual, expected) => assertSameSpans(actual.spans.flat(), expected.spans.flat()),
  }),
  ...cases<TokenClassificationCapability>({
    'spans lie within their text, in order of their start, with a label and a score in 0..1': async (service) => {
      const spans = await classify(service, texts)
      assert.equal(spans.length, texts.length)
      for (const [index, one] of spans.entries()) {
        for (const span of one) {
          assertSpan(span, texts[index]?.length ?? 0)
          assertScore(span.score)
          assert.ok(span.label, 'a span has no label')
        }
        const starts = one.map(({ start }) => start)
        assert.deepEqual(
          starts,
          [...starts].sort((a, b) => a - b),
        )
      }
    },
    'a name is found where it stands': (service) => assertFinds(service, letter),
    'positions count UTF-16 code units': (service) => assertFinds(service, `👩‍👩‍👧‍👦🎉🎉🎉 ${letter}`),
    'a name at the end of a long text is found': (service) =>
      assertFinds(service, `${'The train arrives at noon. '.repeat(700)}${letter}`),
    'a batch equals its texts one by one, in order': async (service) => {
      const spans = await classify(service, texts)
      for (const [index, text] of texts.entries())
        assertSameSpans(spans[index] ?? [], (await classify(service, [text]))[0] ?? [])
    },
    'an empty list and an empty text have no spans': async (service) => {
      assert.deepEqual(await classify(service, []), [])
      assert.deepEqual(await classify(service, ['']), [[]])
    },
    'every text is read': async (service) => {
      const spans = await classify(service, [...allTexts])
      assert.equal(spans.length, allTexts.length)
      for (const [index, one] of spans.entries()) for (const span of one) assertSpan(span, allTexts[index]?.length ?? 0)
    },
  }),
]
