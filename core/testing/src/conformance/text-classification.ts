import assert from 'node:assert/strict'
import type { TextClassificationCapability, TextClassificationRequest, TextClassificationResult } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { testCall } from './support.js'
import { allTexts } from './samples.js'
import { assertBestFirst, assertSameLabels } from './scores.js'

const kind = { text: 'I love this wonderful place.' }
const unkind = { text: 'This is a terrible, horrible mess.' }
const inputs = [kind, unkind, { text: 'The train arrives at noon. '.repeat(8) }]

const classify = async (service: TextClassificationCapability, inputs: TextClassificationRequest['inputs']) =>
  (await service.classify({ inputs }, testCall())).labels

export const textClassificationCases: readonly ConformanceCase<TextClassificationCapability>[] = [
  ...callCases<TextClassificationCapability, TextClassificationRequest, TextClassificationResult>({
    method: 'classify',
    request: (_, which) => ({ inputs: [which ? unkind : kind] }),
    invoke: (service, request, call) => service.classify(request, call),
    assertSame: (actual, expected) => assertSameLabels(actual.labels.flat(), expected.labels.flat()),
  }),
  ...cases<TextClassificationCapability>({
    'every input has the scores of all labels, best first, in 0..1': async (service) => {
      const labels = await classify(service, inputs)
      assert.equal(labels.length, inputs.length)
      const names = labels.map((one) => one.map(({ label }) => label).sort())
      for (const [index, one] of labels.entries()) {
        assert.ok(one.length > 0, 'an input has no labels')
        assertBestFirst(one)
        assert.deepEqual(names[index], names[0], 'two inputs have different labels')
      }
    },
    'a batch equals its inputs one by one, in order': async (service) => {
      const labels = await classify(service, inputs)
      for (const [index, input] of inputs.entries()) {
        const [alone] = await classify(service, [input])
        assertSameLabels(labels[index] ?? [], alone ?? [])
      }
    },
    'the second text of a pair counts': async (service) => {
      const [alone = [], paired = []] = await classify(service, [kind, { ...kind, pair: unkind.text }])
      assertBestFirst(paired)
      assert.throws(() => assertSameLabels(paired, alone), 'the pair changes nothing')
    },
    'an empty list has no labels': async (service) => assert.deepEqual(await classify(service, []), []),
    'every text is labelled': async (service) => {
      const labels = await classify(
        service,
        allTexts.map((text) => ({ text })),
      )
      assert.equal(labels.length, allTexts.length)
      for (const one of labels) assertBestFirst(one)
    },
  }),
]
