import assert from 'node:assert/strict'
import type { RerankCapability, RerankRequest, RerankResult } from '@sallyport/core'
import { callCases } from './call-cases.js'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import { testCall, valueUnless } from './support.js'
import { allTexts } from './samples.js'
import { assertSameScore, assertScore } from './scores.js'

const query = 'How tall is Mount Everest?'
const answer = 'Mount Everest is 8,849 metres tall.'
const documents = [
  'The recipe needs two eggs and a cup of flour.',
  answer,
  'Many people climb mountains in summer.',
  'Interest rates rose again in March.',
]

const rank = async (service: RerankCapability, request: Partial<RerankRequest> = {}) =>
  (await service.rerank({ query, documents, ...request }, testCall())).ranking

export const rerankCases: readonly ConformanceCase<RerankCapability>[] = [
  ...callCases<RerankCapability, RerankRequest, RerankResult>({
    method: 'rerank',
    request: (_, which) => ({ query: which ? 'How many eggs are needed?' : query, documents }),
    invoke: (service, request, call) => service.rerank(request, call),
    assertSame: ({ ranking }, expected) => {
      for (const { index, score } of expected.ranking)
        assertSameScore(ranking.find((one) => one.index === index)?.score ?? NaN, score)
    },
  }),
  ...cases<RerankCapability>({
    'every document stands once in the ranking': async (service) => {
      const indexes = (await rank(service)).map(({ index }) => index)
      assert.deepEqual([...indexes].sort(), [...documents.keys()])
    },
    'the ranking is best first': async (service) => {
      const scores = (await rank(service)).map(({ score }) => score)
      assert.deepEqual(
        scores,
        [...scores].sort((a, b) => b - a),
      )
    },
    'the document that answers the query is first': async (service) => assert.equal((await rank(service))[0]?.index, 1),
    'scores are in 0..1': async (service) => {
      for (const { score } of await rank(service, { documents: [...documents, query] })) assertScore(score)
    },
    'equal documents have equal scores and keep their order': async (service) => {
      const ranking = await rank(service, { documents: Array.from({ length: 12 }, () => answer) })
      assert.deepEqual(
        ranking.map(({ index }) => index),
        Array.from({ length: 12 }, (_, index) => index),
      )
      for (const { score } of ranking) assertSameScore(score, ranking[0]?.score ?? NaN)
    },
    'topN cuts the ranking': async (service) => {
      const all = (await rank(service)).map(({ index }) => index)
      const two = (await rank(service, { topN: 2 })).map(({ index }) => index)
      assert.deepEqual(two, all.slice(0, 2))
    },
    'a topN above the number of documents returns all': async (service) =>
      assert.equal((await rank(service, { topN: 100 })).length, documents.length),
    'documentTokens leaves out the end of documents': async (service) => {
      const beginning = 'The recipe needs two eggs, a cup of flour and a little salt. '
      const long = [beginning + answer, `${beginning}Interest rates rose again in March.`]
      const [one, other] = (await rank(service, { documents: long, documentTokens: 6 })).map(({ score }) => score)
      assertSameScore(one ?? NaN, other ?? NaN)
    },
    'an empty list has no ranking, or is refused': async (service) => {
      const ranking = await valueUnless(rank(service, { documents: [] }), 'invalid_request')
      if (ranking) assert.deepEqual(ranking, [])
    },
    'unusual documents are ranked': async (service) => {
      const ranking = await rank(service, { documents: [...allTexts] })
      assert.equal(ranking.length, allTexts.length)
      for (const { score } of ranking) assertScore(score)
    },
    'a long document is ranked, or refused with context_exceeded': async (service) => {
      const long = `${answer} ${'Words follow that say nothing more. '.repeat(3000)}`
      const ranking = await valueUnless(rank(service, { documents: [...documents, long] }), 'context_exceeded')
      if (ranking) assert.equal(ranking.length, documents.length + 1)
    },
    'promptTokens, where it is given, grows with the documents': async (service) => {
      const { promptTokens } = await service.rerank({ query, documents }, testCall())
      const twice = await service.rerank({ query, documents: [...documents, ...documents] }, testCall())
      if (promptTokens === undefined) {
        assert.equal(twice.promptTokens, undefined)
        return
      }
      assert.ok(promptTokens > 0 && (twice.promptTokens ?? 0) > promptTokens, 'more documents must have more tokens')
    },
  }),
]
