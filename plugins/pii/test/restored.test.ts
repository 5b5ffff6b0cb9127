import { chat, definePlugin, injectable } from '@sallyport/core'
import type { ChatCapability, ChatRequest, Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { textOf } from '@sallyport/kit/generation'
import { expect } from 'chai'
import fc from 'fast-check'
import plugin from '../src/index.js'
import { luhn } from '../src/checksums/index.js'
import { mayBeName } from '../src/words/names.js'
import { callOf, usualDetector } from './support.js'

const asked: string[] = []

/** Answers what it is asked, in parts whose lengths the conversation begins with. */
@injectable()
class Echo implements ChatCapability {
  async *stream({ messages }: ChatRequest) {
    const [sizes, text] = messages.map(textOf) as [string, string]
    asked.push(text)
    const lengths = sizes.split(' ').map(Number)
    for (let [at, index] = [0, 0]; at < text.length; index += 1) {
      const size = lengths[index % lengths.length] ?? 1
      yield await Promise.resolve({ delta: text.slice(at, at + size) })
      at += size
    }
    yield { finish: 'stop' as const }
  }
}

const echo = definePlugin({ name: 'echo', models: { echo: { capability: chat, class: Echo } } })

const originals = [
  ...['Jane Miller', 'Mr. Robert Johnson', 'jane.miller@acme.com', '4012 8888 8888 1881', '+49 30 901820'],
  ...['GB82 WEST 1234 5698 7654 32', '536-22-1234', '192.168.17.4', '2019-03-12', '12 Main Street'],
]
const between = ['; write to ', ' and ', ', ', '. Then ask ', '\n- ', ' (born ', '): ', "'s friend ", ' at ', ', "']
const texts = fc.array(fc.tuple(fc.constantFrom(...originals), fc.constantFrom(...between)), {
  minLength: 1,
  maxLength: 8,
})
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 })

describe('restored answers with this detector', function () {
  this.timeout(300_000)
  let kernel: Kernel
  before(async () => {
    const entry = (method: string) => ({ input: { pii: { action: 'replace', method, budget: 60_000, restore: true } } })
    kernel = await createKernel({
      plugins: [echo, plugin],
      models: { pii: { backend: 'pii', options: { key: 'a key of sixteen' } } },
      policies: { fake: entry('fake'), category: entry('category') },
    })
  })
  after(() => kernel.stop())

  const said = async (text: string, policy: string, lengths: readonly number[] = [7]): Promise<string> => {
    const messages = [lengths.join(' '), text].map((content) => ({ role: 'user' as const, content }))
    const { choices } = await kernel.get(chat, 'echo').generate({ messages }, { policies: [policy] })
    return choices[0]?.text ?? ''
  }

  for (const policy of ['fake', 'category'])
    it(`are what was asked, however they are cut: ${policy}`, () =>
      fc.assert(
        fc.asyncProperty(texts, sizes, async (pairs, lengths) => {
          const text = pairs.flat().join('')
          expect(await said(text, policy, lengths)).to.equal(text)
        }),
        { numRuns: 40 },
      ))

  it('come of requests without the originals', async () => {
    const text = `Jane Miller (jane.miller@acme.com) has the card 4012 8888 8888 1881. Jane Miller is well.`
    expect(await said(text, 'category')).to.equal(text)
    expect(asked.at(-1)).to.equal('<PERSON_1> (<EMAIL_ADDRESS_1>) has the card <CREDIT_CARD_1>. <PERSON_1> is well.')
    expect(await said(text, 'fake')).to.equal(text)
    expect(asked.at(-1)).not.to.match(/Jane|Miller|acme|8888/)
  })

  it('tell a hundred people apart whose fakes are of one word', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `Mail to person${at}@acme.com`)
    expect(await said(names.join('\n'), 'fake')).to.equal(names.join('\n'))
  })
})

describe('fakes that are put back', () => {
  const fakeOf = async (text: string, type: string, avoid?: string[]): Promise<string> => {
    const findings = [{ type, start: 0, end: text.length, score: 1 }]
    const request = { text, findings, method: 'fake' as const, ...(avoid && { avoid }) }
    return (await usualDetector.replace(request, callOf())).text
  }

  it('are no names that are common words, places or countries', async () => {
    for (let at = 0; at < 400; at += 1)
      for (const type of ['PERSON', 'LOCATION']) {
        const fake = await fakeOf(`Anouk${'abcdefghij'.charAt(at % 10)}${'x'.repeat(at / 10)}`, type, [])
        expect(mayBeName(fake.toLowerCase()), fake).to.equal(true)
      }
  }).timeout(60_000)

  for (const [type, original] of [
    ['LOCATION', 'Germany'],
    ['NRP', 'German'],
    ['AGE', '34 years old'],
    ['DATE_TIME', 'May 2019'],
  ] as const)
    it(`are not made where answers may say the same by themselves: ${type}`, async () => {
      expect(await fakeOf(original, type)).to.match(/\p{L}{2}/u)
      expect(await fakeOf(original, type, [])).to.match(/^\*+$/)
    })

  it('are others than those to avoid between tags, too', async () => {
    const original = '4012<b>8888</b>8888<i>1881</i>'
    const fake = await fakeOf(original, 'CREDIT_CARD', [])
    const other = await fakeOf(original, 'CREDIT_CARD', [fake])
    expect(other)
      .to.match(/^4012<b>\d{4}<\/b>\d{4}<i>\d{4}<\/i>$/)
      .and.not.equal(fake)
    expect(luhn(other.replaceAll(/\D/g, ''))).to.equal(true)
  })
})
