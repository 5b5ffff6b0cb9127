import { chat, createKernel, definePlugin, injectable, textOf } from '@sallyport/core'
import type { ChatCapability, ChatRequest, Kernel } from '@sallyport/core'
import { expect } from 'chai'

/** Says the pieces that the message lists. */
@injectable()
class Script implements ChatCapability {
  async *stream({ messages }: ChatRequest) {
    for (const delta of JSON.parse(messages.map(textOf).join('')) as string[]) {
      await Promise.resolve()
      yield { delta }
    }
    yield { finish: 'stop' as const }
  }
}

const texts = [
  'Jane Miller lives in Berlin. She works for Contoso Ltd! Her mail is jane.miller@acme-widgets.com.',
  'Dear Mr. Ortega,\r\n\r\nyour card 4111 1111 1111 1111 was sent to 12 Main Street, Springfield, IL 62704.\n\nYours, Zoë',
  `${'Nobody knows where it rains more than here. '.repeat(20)}Ask Peter Novak in Prague, or call +49 30 901820.`,
  `- Anna Kowalska\n- ${'x'.repeat(700)}\n- Lars Svensson, Göteborg, born 12 May 1980, <PERSON>`,
]

const chunked = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

describe('a stream behind patterns and a model', function () {
  this.timeout(120_000)
  let kernel: Kernel
  before(async () => {
    const pii = (method: string) => ({ output: { pii: { action: 'replace', method, budget: 60_000 } } })
    kernel = await createKernel({
      plugins: [
        definePlugin({ name: 'script', models: { script: { capability: chat, class: Script } } }),
        '@sallyport/onnx',
        '@sallyport/pii',
      ],
      models: {
        rampart: { backend: 'onnx' },
        pii: { backend: 'pii', options: { model: 'rampart', key: 'a key of sixteen' } },
      },
      policies: { category: pii('category'), fake: pii('fake') },
    })
  })
  after(() => kernel.stop())

  const request = (chunks: readonly string[]): ChatRequest => ({
    messages: [{ role: 'user', content: JSON.stringify(chunks) }],
  })

  for (const text of texts)
    it(`says the same however it comes: ${JSON.stringify(text.slice(0, 40))}…`, async () => {
      for (const method of ['category', 'fake']) {
        const whole = await kernel.get(chat).generate(request([text]), { policies: [method] })
        const expected = whole.choices[0]?.text ?? ''
        expect(expected).to.not.equal(text)
        if (method === 'category') expect(expected).to.include('<PERSON>')
        for (const size of [1, 7, 64]) {
          let said = ''
          for await (const piece of kernel.get(chat).stream(request(chunked(text, size)), { policies: [method] }))
            if ('delta' in piece) said += piece.delta
          expect(said, `${method}, ${size} at a time`).to.equal(expected)
        }
      }
    })
})
