import { expect } from 'chai'
import { createKernel } from '@sallyport/kernel'
import { rerank, tokenClassification, tokens } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { runConformance } from '@sallyport/testing'

/** Calls the tests with a way to a kernel that has the model. */
const withModel = (id: string, tests: (kernel: () => Kernel) => void): void => {
  describe(id, () => {
    let kernel: Kernel | undefined
    before(async function () {
      // its files may have to be fetched
      this.timeout(300_000)
      kernel = await createKernel({
        plugins: [new URL('../src/index.js', import.meta.url)],
        models: { [id]: { backend: 'onnx' } },
      })
    })
    after(() => kernel?.stop())
    tests(() => kernel!)
  })
}

withModel('all-minilm-l6-v2', (kernel) => {
  it('has BERT’s tokens', async () => {
    const service = kernel().get(tokens, 'all-minilm-l6-v2')
    const text = 'Hello, y’all! Ångström ﬁts 我 👍'
    const { tokens: found } = await service.tokenize({ text })
    // of the tokenizers library, version 0.23
    expect(found.map(({ id }) => id)).to.deep.equal([
      7592, 1010, 1061, 1521, 2035, 999, 17076, 15687, 1984, 3215, 1855, 100,
    ])
    expect(found.map(({ text: own }) => own).join('|')).to.equal('Hello|,|y|’|all|!|Ång|ström|ﬁ|ts|我|👍')
  })

  it('ranks what answers first, in hundreds of documents, wherever it stands in them', async function () {
    this.timeout(60_000)
    const filler = 'Interest rates rose again in March. '
    const documents = Array.from({ length: 300 }, (_, index) => `${filler}${index}`)
    documents[200] = `${filler.repeat(60)} Mount Everest is 8,849 metres tall.`
    const { ranking } = await kernel()
      .get(rerank, 'all-minilm-l6-v2')
      .rerank({ query: 'How high is the tallest mountain?', documents, topN: 3 })
    expect(ranking).to.have.length(3)
    expect(ranking[0]?.index).to.equal(200)
  })

  describe('conforms', () => {
    runConformance(rerank, { create: () => Promise.resolve(kernel().get(rerank, 'all-minilm-l6-v2')) })
  })
})

withModel('rampart', (kernel) => {
  const classify = async (text: string) => {
    const { spans } = await kernel()
      .get(tokenClassification, 'rampart')
      .classify({ texts: [text] })
    return spans[0]!.map(({ label, start, end }) => [label, text.slice(start, end)])
  }

  it('finds a name, a mail address and a phone number', async () => {
    const found = await classify('👍 My name is Maria Garcia, write to maria.garcia@example.com or call 415-555-0132.')
    expect(found).to.deep.equal([
      ['GIVEN_NAME', 'Maria'],
      ['SURNAME', 'Garcia'],
      ['EMAIL', 'maria.garcia@example.com'],
      ['PHONE', '415-555-0132'],
    ])
  })

  it('finds the same at the end of a text of many windows', async function () {
    this.timeout(30_000)
    const found = await classify(`${'The train arrives at noon. '.repeat(300)}My name is Maria Garcia.`)
    expect(found).to.deep.include(['GIVEN_NAME', 'Maria'])
    expect(found).to.deep.include(['SURNAME', 'Garcia'])
  })

  describe('conforms', () => {
    runConformance(tokenClassification, {
      create: () => Promise.resolve(kernel().get(tokenClassification, 'rampart')),
      timeout: 60_000,
    })
  })
})
