import { chat } from '@sallyport/core'
import type { Kernel } from '@sallyport/core'
import { createKernel } from '@sallyport/kernel'
import { splitIntoChunks, scriptPlugin, scriptRequest } from '@sallyport/testing'
import { expect } from 'chai'

const texts = [
  'Jane Miller lives in Berlin. She works for Contoso Ltd! Her mail is jane.miller@acme-widgets.com.',
  'Dear Mr. Ortega,\r\n\r\nyour card 4111 1111 1111 1111 was sent to 12 Main Street, Springfield, IL 62704.\n\nYours, Zoë',
  `${'Nobody knows where it rains more than here. '.repeat(20)}Ask Peter Novak in Prague, or call +49 30 901820.`,
  `- Anna Kowalska\n- ${'x'.repeat(700)}\n- Lars Svensson, Göteborg, born 12 May 1980, <PERSON>`,
]

describe('a stream behind patterns and a model', function () {
  this.timeout(120_000)
  let kernel: Kernel
  before(async () => {
    const pii = (method: string) => ({ output: { pii: { action: 'replace', method, budget: 60_000 } } })
    kernel = await createKernel({
      plugins: [scriptPlugin, '@sallyport/onnx', '@sallyport/pii'],
      models: {
        rampart: { backend: 'onnx' },
        pii: { backend: 'pii', options: { model: 'rampart', key: 'a key of sixteen' } },
      },
      policies: { category: pii('category'), fake: pii('fake') },
    })
  })
  after(() => kernel.stop())

  for (const text of texts)
    it(`says the same however it comes: ${JSON.stringify(text.slice(0, 40))}…`, async () => {
      for (const method of ['category', 'fake']) {
        const whole = await kernel.get(chat).generate(scriptRequest([text]), { policies: [method] })
        const expected = whole.choices[0]?.text ?? ''
        expect(expected).to.not.equal(text)
        if (method === 'category') expect(expected).to.include('<PERSON>')
        for (const size of [1, 7, 64]) {
          let said = ''
          for await (const piece of kernel
            .get(chat)
            .stream(scriptRequest(splitIntoChunks(text, [size])), { policies: [method] }))
            if ('delta' in piece) said += piece.delta
          expect(said, `${method}, ${size} at a time`).to.equal(expected)
        }
      }
    })
})
