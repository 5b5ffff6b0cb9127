import type { Capability, Kernel } from '@sallyport/core'
import { expect } from 'chai'
import { callingTool, saying, stepper, town } from '../support/conversations.js'
import { testKernel } from '../support/kernel.js'
import { recorder } from '../support/models.js'
import { withServer } from '../support/server.js'

describe('safeguards of responses', () => {
  const finding = (text: string) =>
    [...text.matchAll(/Ann/g)].map(({ index }) => ({ type: 'PERSON', start: index, end: index + 3, score: 1 }))
  const inspection = { explanation: '', detector: 'test', latency: 0, score: 0 }
  const detectors = {
    id: 'detectors',
    services: {
      pii: {
        inspect: ({ text }: { text: string }) => Promise.resolve({ ...inspection, findings: finding(text) }),
        replace: ({ text }: { text: string }) => Promise.resolve({ text: text.replaceAll('Ann', '[who]'), spans: [] }),
      },
    },
  }

  it('block with a status before anything is sent, and repeat nothing that they replaced', async () => {
    const { model, requests } = recorder()
    await withServer(await testKernel([model, detectors]), {}, async ({ post }) => {
      const body = { model: 'recorder', input: 'I am Ann', instructions: 'Ask Ann.', stream: true }
      const blocked = await post('/v1/responses', { ...body, safeguards: { pii: 'block' } })
      expect(blocked.status).to.equal(400)
      expect(await blocked.json()).to.deep.nested.include({
        'error.message': 'pii detected',
        'error.code': 'content_filter',
      })
      const replaced = await post('/responses', { ...body, stream: false, safeguards: { pii: 'replace' } })
      const text = await replaced.text()
      expect(text).not.to.contain('Ann')
      expect(requests.at(-1)!.messages.map(({ content }) => content)).to.deep.equal(['Ask [who].', 'I am [who]'])
      expect(replaced.headers.get('x-safeguards')).to.contain('pii=replace')
    })
  })

  it('say where in the items they found something', async () => {
    const { model } = recorder()
    await withServer(await testKernel([model, detectors]), {}, async ({ post }) => {
      const input = [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'x' },
            { type: 'input_text', text: 'Ann!' },
          ],
        },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"who":"Ann"}' },
        { type: 'function_call_output', call_id: 'a', output: 'Ann?' },
      ]
      const body = { model: 'recorder', instructions: 'Ann', input, safeguards: { pii: 'replace' } }
      const answer = await post('/responses', body, { 'x-safeguards-receipt': 'true' })
      const { safeguards } = (await answer.json()) as { safeguards: { spans: { field: string }[] }[] }
      expect(safeguards[0]!.spans.map(({ field }) => field)).to.have.members([
        'instructions',
        'input[0].content[1].text',
        'input[1].arguments',
        'input[2].output',
      ])
    })
  })

  /** A kernel that says of the model that the policy is bound to it. */
  const binding = (kernel: Kernel, policy: string): Kernel =>
    new Proxy(kernel, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (name === 'models')
          return (capability?: Capability) => target.models(capability).map((model) => ({ ...model, policy }))
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })

  it('look at what tools return where the policy is that of the model', async () => {
    const caller = stepper('caller', callingTool('weather', '{}'), saying('done'))
    const policies = { strict: { output: { pii: { action: 'replace' as const } } } }
    const hall = town().model
    const gossip = { ...hall.services['tools'], call: () => Promise.resolve({ output: 'Ann says so' }) }
    const kernel = await testKernel([caller.model, detectors, { ...hall, services: { tools: gossip } }], { policies })
    await withServer(binding(kernel, 'strict'), {}, async ({ post }) => {
      const body = { model: 'caller', input: 'hi', tools: [{ type: 'mcp', server_label: 'town' }] }
      const { output } = (await (await post('/responses', body)).json()) as { output: object[] }
      expect(output[0]).to.include({ status: 'completed', output: '[who] says so' })
    })
  })

  for (const [action, result] of [
    ['replace', { status: 'completed', output: '[who] says so' }],
    [
      'block',
      { status: 'failed', error: 'the call was stopped by a safeguard: what was sent or returned is withheld' },
    ],
  ] as const)
    it(`look at what tools return, and ${action} it`, async () => {
      const caller = stepper('caller', callingTool('weather', '{}'), saying('done'))
      const policies = { strict: { output: { pii: { action } } } }
      const hall = town().model
      const gossip = { ...hall.services['tools'], call: () => Promise.resolve({ output: 'Ann says so' }) }
      const telling = { ...hall, services: { tools: gossip } }
      const kernel = await testKernel([caller.model, detectors, telling], { policies })
      const options = { policies: { '/responses': 'strict' } }
      await withServer(kernel, options, async ({ post }) => {
        const body = { model: 'caller', input: 'hi', tools: [{ type: 'mcp', server_label: 'town' }] }
        const text = await (await post('/responses', body)).text()
        const streamed = await (await post('/v1/responses', { ...body, stream: true })).text()
        expect(text + streamed).not.to.contain('Ann')
        const { output } = JSON.parse(text) as { output: object[] }
        expect(output.find((item) => 'server_label' in item)).to.include(result)
        expect(JSON.stringify(caller.requests)).not.to.contain('Ann')
      })
    })
})
