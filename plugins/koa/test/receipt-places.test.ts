/** Where receipts say that something was found, and what the log says of it. */

import { recordingLogger } from '@sallyport/testing'
import { expect } from 'chai'
import { testKernel } from './support/kernel.js'
import { ask, asked, chat, models, piiReplace, receiptsIn } from './support/receipts.js'
import { withServer } from './support/server.js'

const policies = { default: { input: { pii: { mode: 'shadow', action: 'block' } } } }

describe('a place in a receipt', () => {
  const places: { name: string; path: string; body: object; fields: string[] }[] = [
    {
      name: 'of a message',
      path: '/chat/completions',
      body: chat([{ role: 'user', content: 'Ann' }]),
      fields: ['messages[0].content'],
    },
    {
      name: 'of a part',
      path: '/chat/completions',
      body: chat([{ role: 'user', content: [{ type: 'text', text: 'Ann' }] }]),
      fields: ['messages[0].content[0].text'],
    },
    {
      name: 'of a tool call',
      path: '/chat/completions',
      body: chat([
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"of": "Ann"}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'y' },
      ]),
      fields: ['messages[1].tool_calls[0].function.arguments'],
    },
    { name: 'of a prompt', path: '/completions', body: { model: 'repeater', prompt: 'Ann' }, fields: ['prompt'] },
    {
      name: 'of several prompts',
      path: '/completions',
      body: { model: 'repeater', prompt: ['a', 'Ann', 'Ann'] },
      fields: ['prompt[1]', 'prompt[2]'],
    },
    {
      name: 'of what is embedded',
      path: '/embeddings',
      body: { model: 'toolbox', input: ['a', 'Ann'] },
      fields: ['input[1]'],
    },
    {
      name: 'of what is ranked',
      path: '/v1/rerank',
      body: { model: 'toolbox', query: 'Ann', documents: ['a', 'a@b.de'] },
      fields: ['query', 'documents[1]'],
    },
    {
      name: 'of what is translated',
      path: '/translate',
      body: { text: 'Ann', source_lang: 'en', target_lang: 'de' },
      fields: ['text'],
    },
  ]
  for (const { name, path, body, fields } of places)
    it(`names the field ${name}`, async () => {
      const { status, text } = await ask(path, body, asked, models, { policies })
      expect(status, text).to.equal(200)
      const [receipt, ...others] = receiptsIn(text)
      expect(others).to.deep.equal([])
      expect(receipt).to.include({ check: 'pii', stage: 'input', verdict: 'block', mode: 'shadow' })
      expect(receipt!.spans!.map(({ field }) => field)).to.have.members(fields)
    })
})

describe('the log of checks', () => {
  it('says what was checked and decided, with counts, and neither text nor place', async () => {
    const { lines, logger } = recordingLogger()
    const kernel = await testKernel(models, { logger })
    await withServer(
      kernel,
      {},
      async ({ post }) => {
        await post('/chat/completions', chat('Ann, a@b.de', piiReplace), { ...asked, 'x-request-id': 'r1' })
      },
      logger,
    )
    const { fields } = lines.find(({ message }) => message === 'check finished')!
    const { latency, ...rest } = fields
    expect(latency).to.be.a('number')
    expect(rest).to.deep.equal({
      ...{ requestId: 'r1', model: 'speaker' },
      ...{ check: 'pii', stage: 'input', verdict: 'replace', mode: 'enforce', score: 0.5, detector: 'test' },
      findings: { PERSON: 1, EMAIL_ADDRESS: 1 },
      spanCount: 2,
    })
    expect(lines.find(({ message }) => message === 'request')!.fields).to.include({ safeguards: 'pii=replace' })
    expect(JSON.stringify(lines)).not.to.match(/Ann|a@b/)
  })
})
