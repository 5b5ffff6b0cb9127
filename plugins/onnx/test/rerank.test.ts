import { expect } from 'chai'
import fc from 'fast-check'
import { isSallyportError, rerank } from '@sallyport/core'
import type { RerankCapability } from '@sallyport/core'
import { runSteps } from '@sallyport/kit/async'
import { runConformance, testCall } from '@sallyport/testing'
import { Batcher } from '../src/batching/batcher.js'
import { OnnxEmbedding } from '../src/embedding.js'
import type { EmbeddingText } from '../src/embedding.js'
import { bm25, wordsOf } from '../src/rerank/bm25.js'
import type { Encoding } from '../src/text/token-template.js'
import { CrossEncoderRerank } from '../src/rerank/cross-encoder-rerank.js'
import { DocumentTruncation } from '../src/rerank/document-truncation.js'
import { HybridRerank } from '../src/rerank/hybrid-rerank.js'
import { PassageSplitter } from '../src/rerank/passages.js'
import { ranking, zScores } from '../src/rerank/ranking.js'
import { sessionModel } from './support/session-model.js'
import { tinyCrossEncoder } from './support/tiny-models.js'
import { encode, idsOf, tokenizerOf, wordPiece } from './support/tokenizers.js'

const documents = ['the fox', 'a quick brown fox', 'nothing', 'the the the cat']

/** Vectors that a test chooses by text; others point away from all. */
const embedding = (vectors: Readonly<Record<string, readonly number[]>>): Pick<OnnxEmbedding, 'embedTexts'> => ({
  embedTexts: (texts) =>
    Promise.resolve({
      vectors: texts.map(({ text }) => Float32Array.from(vectors[text] ?? [0, 0, 1])),
      promptTokens: texts.length,
    }),
})

const whole: Pick<PassageSplitter, 'split'> = { split: (document) => Promise.resolve([document]) }

describe('BM25', () => {
  it('is the formula', () => {
    // idf = ln(1 + (N - n + 0.5) / (n + 0.5)); score = idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / mean))
    const mean = (2 + 4 + 1 + 4) / 4
    const idf = Math.log(1 + 2.5 / 2.5)
    const score = (times: number, length: number) =>
      (idf * times * 2.2) / (times + 1.2 * (0.25 + (0.75 * length) / mean))
    const expected = [score(1, 2) + score(1, 2), score(1, 4), 0, score(3, 4)]
    for (const [index, value] of runSteps(bm25('The fox', documents)).entries())
      expect(value).to.be.closeTo(expected[index]!, 1e-12)
  })

  it('reads words of all scripts without their case', () => {
    expect(wordsOf('Łódź, ＡＢ 3.5! naïve')).to.deep.equal(['łódź', 'ab', '3', '5', 'naïve'])
    expect(runSteps(bm25('ЖУК', ['жук', 'кот']))[0]).to.be.above(0)
  })

  it('is 0 where there are no words', () => {
    expect(runSteps(bm25('', documents))).to.deep.equal([0, 0, 0, 0])
    expect(runSteps(bm25('fox', ['', '!']))).to.deep.equal([0, 0])
  })
})

describe('z-scores', () => {
  it('have the mean 0 and the deviation 1', () => {
    expect(zScores([1, 3])).to.deep.equal([-1, 1])
  })

  it('are 0 for equal values, up to what a batch changes', () => {
    expect(zScores([0.1, 0.1, 0.1])).to.deep.equal([0, 0, 0])
    expect(zScores([0.5, 0.5 + 1e-7])).to.deep.equal([0, 0])
    expect(zScores([5])).to.deep.equal([0])
  })
})

describe('a ranking', () => {
  it('is best first, with ties in the order of the request', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { maxLength: 1000 }),
        fc.option(fc.nat(1200)),
        (scores, top) => {
          const found = ranking(scores, top ?? undefined)
          expect(found).to.have.length(Math.min(top ?? scores.length, scores.length))
          for (const [place, { index, score }] of found.entries()) {
            expect(score).to.equal(scores[index])
            const before = found[place - 1]
            if (before) expect(before.score > score || (before.score === score && before.index < index)).to.equal(true)
          }
        },
      ),
    )
  })
})

describe('the hybrid rerank', () => {
  it('adds what the words and the vectors say', async () => {
    const vectors = { fox: [1, 0], 'a fox': [0, 1], 'a vixen': [1, 0], 'a car': [0, 1] }
    const { ranking: found } = await new HybridRerank(embedding(vectors), whole).rerank(
      { query: 'fox', documents: ['a car', 'a vixen', 'a fox'] },
      testCall(),
    )
    // in both: one of three stands out; sqrt(2) and -1/sqrt(2)
    const score = (sum: number) => 1 / (1 + Math.exp(-sum))
    expect(found.map(({ index }) => index)).to.deep.equal([2, 1, 0])
    expect(found[0]?.score).to.be.closeTo(score(Math.SQRT2 - 0.75 * Math.SQRT1_2), 1e-6)
    expect(found[1]?.score).to.be.closeTo(score(0.75 * Math.SQRT2 - Math.SQRT1_2), 1e-6)
    expect(found[2]?.score).to.be.closeTo(score(-1.75 * Math.SQRT1_2), 1e-6)
  })

  it('scores the only document, and equal ones, 0.5', async () => {
    const service = new HybridRerank(embedding({}), whole)
    for (const texts of [['fox'], ['fox', 'fox', 'fox']]) {
      const { ranking: found } = await service.rerank({ query: 'fox', documents: texts }, testCall())
      expect(found).to.deep.equal(texts.map((_, index) => ({ index, score: 0.5 })))
    }
  })

  it('puts blank documents last with the score 0, and does not ask the model about them', async () => {
    const asked: EmbeddingText[] = []
    const service = new HybridRerank(
      {
        embedTexts: (texts, call) => {
          asked.push(...texts)
          return embedding({}).embedTexts(texts, call)
        },
      },
      whole,
    )
    const { ranking: found } = await service.rerank({ query: 'fox', documents: ['', 'fox', ' \n'] }, testCall())
    expect(found.map(({ index }) => index)).to.deep.equal([1, 0, 2])
    expect(found.slice(1).map(({ score }) => score)).to.deep.equal([0, 0])
    expect(asked).to.deep.equal([
      { text: 'fox', inputType: 'query' },
      { text: 'fox', inputType: 'document' },
    ])
  })

  it('is admitted as a whole: on an idle model whatever its size, and beside others only if all of it fits', async () => {
    const tokenizer = tokenizerOf(wordPiece)
    const batcher = new Batcher<Encoding, Float32Array>({
      maxTokens: 64,
      maxItems: 16,
      maxQueued: 10,
      sizeOf: ({ ids }) => ids.length,
      evaluate: (encodings) => Promise.resolve(encodings.map(({ ids }) => Float32Array.from([ids[1] ?? 0, 1]))),
    })
    const service = new HybridRerank(
      new OnnxEmbedding({
        tokenizer,
        evaluate: (texts, make, requester) => batcher.run(texts, make, requester),
        properties: { normalize: false, prefixes: {}, matryoshkaDimensions: [], dimensions: 2 },
      }),
      whole,
    )
    const ask = (count: number) =>
      service.rerank({ query: 'fox', documents: Array.from({ length: count }, () => 'the fox') }, testCall()).then(
        ({ ranking: found }) => found.length,
        (error: unknown) => isSallyportError(error) && error.code,
      )
    for (const count of [9, 10, 100]) expect(await ask(count)).to.equal(count)
    expect(await Promise.all([ask(4), ask(4), ask(5)])).to.deep.equal([4, 4, 'overloaded'])
  })

  it('finds what stands far behind in a document', async () => {
    const far = `${'nothing '.repeat(40)}here`
    const service = new HybridRerank(
      {
        embedTexts: (texts) =>
          Promise.resolve({
            vectors: texts.map(({ text }) => Float32Array.from(/here|place/.test(text) ? [1, 0] : [0, 1])),
            promptTokens: 1,
          }),
      },
      { split: (written) => Promise.resolve(written.match(/(\S+\s*){1,10}/g) ?? [written]) },
    )
    const { ranking: found } = await service.rerank({ query: 'place', documents: ['nothing', far, 'else'] }, testCall())
    expect(found[0]?.index).to.equal(1)
  })
})

describe('passages', () => {
  const tokenizer = tokenizerOf(wordPiece, 34)
  const passagesOf = (document: string) => new PassageSplitter(tokenizer).split(document, testCall())

  it('are the document where it is short', async () => {
    expect(await passagesOf(' The fox! ')).to.deep.equal([' The fox! '])
    expect(await passagesOf('')).to.deep.equal([''])
  })

  it('overlap, begin with a word, and leave nothing out', async () => {
    const words = Array.from({ length: 100 }, (_, index) => `unwanted${index}`)
    const passages = await passagesOf(words.join(' '))
    expect(new Set(passages.flatMap((passage) => passage.split(' ')))).to.include.all.keys(...words)
    for (const passage of passages) {
      expect(passage).to.match(/^(unwanted|\d)/)
      expect((await encode(tokenizer, passage)).ids.length).to.be.at.most(34)
    }
  })

  it('are not made of all of an endless document', async () => {
    const started = performance.now()
    expect(await passagesOf('the fox '.repeat(1_000_000))).to.have.length(64)
    expect(performance.now() - started).to.be.below(500)
  })
})

describe('the beginnings of documents', () => {
  it('are as many tokens as the request wants, of long documents, too', async () => {
    const seen: string[][] = []
    const inner: RerankCapability = {
      rerank: (request) => {
        expect(request).to.have.all.keys('query', 'documents')
        seen.push(request.documents)
        return Promise.resolve({ ranking: [] })
      },
    }
    const service = new DocumentTruncation(inner, tokenizerOf(wordPiece))
    const long = 'the fox '.repeat(20_000)
    for (const documentTokens of [1, 3, 30_000, undefined])
      await service.rerank(
        { query: 'fox', documents: ['the quick fox', 'unwanted', '', long], ...(documentTokens && { documentTokens }) },
        testCall(),
      )
    expect(seen).to.deep.equal([
      ['the', 'un', '', 'the'],
      ['the quick fox', 'unwanted', '', 'the fox the'],
      ['the quick fox', 'unwanted', '', 'the fox '.repeat(15_000).trim()],
      ['the quick fox', 'unwanted', '', long],
    ])
  })
})

describe('the cross-encoder rerank', () => {
  const tokenizer = tokenizerOf(wordPiece)
  const tiny = tinyCrossEncoder({ vocabulary: 80 })

  it('is the logistic function of what the model says about query and document', async () => {
    const { evaluate, release } = await sessionModel(tiny.bytes)
    const { ranking: found, promptTokens } = await new CrossEncoderRerank(tokenizer, evaluate).rerank(
      { query: 'the fox', documents },
      testCall(),
    )
    await release()
    const encodings = await Promise.all(documents.map((pair) => encode(tokenizer, 'the fox', { pair })))
    for (const { index, score } of found)
      expect(score).to.be.closeTo(1 / (1 + Math.exp(-tiny.expected(encodings[index]!))), 1e-5)
    expect(promptTokens).to.equal(encodings.reduce((sum, { ids }) => sum + ids.length, 0))
  })

  it('puts blank documents last with the score 0, and does not ask the model about them', async () => {
    let asked = 0
    const service = new CrossEncoderRerank(tokenizer, (texts) => {
      asked += texts.length
      return Promise.resolve(texts.map(() => Float32Array.of(-20)))
    })
    const { ranking: found } = await service.rerank({ query: 'fox', documents: ['', 'fox', ' \n'] }, testCall())
    expect(found.map(({ index }) => index)).to.deep.equal([1, 0, 2])
    expect(found.slice(1).map(({ score }) => score)).to.deep.equal([0, 0])
    expect(asked).to.equal(1)
    const none = await service.rerank({ query: 'fox', documents: ['', ' '], topN: 1 }, testCall())
    expect(none).to.deep.equal({ ranking: [{ index: 0, score: 0 }], promptTokens: 0 })
  })

  it('cuts the document and keeps the query', async () => {
    const seen: (readonly number[])[] = []
    const service = new CrossEncoderRerank(tokenizerOf(wordPiece, 16), async (texts, make) => {
      const all = await Promise.all(texts.map(async (text) => make(text)))
      seen.push(...all.map(({ ids }) => ids))
      return all.map(() => new Float32Array(1))
    })
    const query = 'the fox the fox the fox the fox'
    await service.rerank({ query, documents: ['fox '.repeat(5000)] }, testCall())
    expect(seen[0]).to.have.length(16)
    expect(seen[0]?.slice(1, 9)).to.deep.equal(await idsOf(tokenizer, query))
  })

  it('ranks a thousand documents', async () => {
    const { evaluate, release } = await sessionModel(tiny.bytes)
    const many = Array.from({ length: 1000 }, (_, index) => `the fox ${String.fromCharCode(97 + (index % 26))}`)
    const { ranking: found } = await new CrossEncoderRerank(tokenizer, evaluate).rerank(
      { query: 'fox', documents: many, topN: 26 * 2 },
      testCall(),
    )
    await release()
    expect(new Set(found.slice(0, 38).map(({ index }) => index % 26)).size).to.equal(1)
    expect(found.slice(0, 38).map(({ index }) => index)).to.deep.equal(
      found
        .slice(0, 38)
        .map(({ index }) => index)
        .sort((a, b) => a - b),
    )
  }).timeout(10_000)

  runConformance(rerank, {
    create: async () => {
      const { evaluate, release } = await sessionModel(tiny.bytes)
      const service = new DocumentTruncation(new CrossEncoderRerank(tokenizer, evaluate), tokenizer)
      return { service, dispose: release }
    },
    skip: { 'the document that answers the query is first': 'the weights of this model are random' },
  })
})
