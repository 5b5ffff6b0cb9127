import { expect } from 'chai'
import fc from 'fast-check'
import { TokenOrder } from '../src/engine/token-order.js'

const end = 0

/** The token 0 ends a generation; the others are these texts, one byte per character. */
const orderOf = (texts: readonly string[]): Promise<TokenOrder> =>
  TokenOrder.of({
    size: texts.length + 1,
    writtenBytes: (token) => Buffer.from(texts[token - 1] ?? '<end>', 'latin1'),
    endsGeneration: (token) => token === end,
  })

/** Admits what begins one of the sentences, and the end where one of them is empty. */
const admitter = (texts: readonly string[], sentences: readonly string[]) => (token: number) =>
  sentences.some((sentence) => (token === end ? sentence === '' : sentence.startsWith(texts[token - 1] ?? '')))

describe('the order of tokens', () => {
  const written = fc.string({ unit: fc.constantFrom('a', 'b', '<', 'é', '\xff'), minLength: 1, maxLength: 4 })
  const tokens = fc.array(written, { maxLength: 40 })
  const sentences = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '<', 'é', '\xff'), maxLength: 6 }))

  it('finds all that is admitted, each once', () =>
    fc.assert(
      fc.asyncProperty(tokens, sentences, async (texts, language) => {
        const admits = admitter(texts, language)
        const all = [end, ...texts.map((_, index) => index + 1)].filter(admits)
        const found = (await orderOf(texts)).admitted(admits, Infinity)
        expect([...(found ?? [])].sort((a, b) => a - b)).to.deep.equal(all)
      }),
    ))

  it('finds nothing where there is more than is wanted', async () => {
    const texts = ['a', 'ab', 'abc', 'b']
    const admits = admitter(texts, ['abcd', ''])
    const order = await orderOf(texts)
    expect(order.admitted(admits, 3)).to.equal(undefined)
    expect(order.admitted(admits, 4)).to.have.members([end, 1, 2, 3])
  })

  it('tests nothing that begins with what is refused', async () => {
    const letters = 'abcdefgh'.split('')
    const texts = [...letters, ...letters.flatMap((a) => letters.map((b) => a + b))]
    const admits = admitter(texts, ['ch'])
    const tested: number[] = []
    const found = (await orderOf(texts)).admitted((token) => tested.push(token) > 0 && admits(token), Infinity)
    expect(found?.map((token) => texts[token - 1])).to.have.members(['c', 'ch'])
    // the end, the letters, and what begins with the admitted one
    expect(tested).to.have.length(1 + 8 + 8)
  })

  it('leaves out tokens without a text', async () => {
    const order = await orderOf(['', 'a'])
    expect(order.admitted(() => true, Infinity)).to.have.members([end, 2])
  })
})
