import { expect } from 'chai'
import { chat, tools, Vault } from '@sallyport/core'
import type { ChatChunk, ToolCallRequest, ToolsCapability } from '@sallyport/core'
import { testCall } from '@sallyport/testing'
import { guard } from '../support.js'
import { names, restored, restoring, saying, userSays } from './support.js'

const asked = 'O"Neil, Jane Miller, 4012888888881881, 4012 8888'

const said = async (json: string, method: 'fake' | 'category' = 'fake') =>
  (await restored(asked, saying(json.match(/.{1,3}/gs)!.map((delta) => ({ delta }))), { method })).said

describe('restored JSON', () => {
  const cases: Readonly<Record<string, readonly [json: string, restored: string]>> = {
    strings: ['{"to": "Carl", "cc": ["Ann Smith"]}', String.raw`{"to": "O\"Neil", "cc": ["Jane Miller"]}`],
    keys: ['{"Ann Smith": 1}', '{"Jane Miller": 1}'],
    'escaped text': [String.raw`{"to": "\u0041nn\nSmith \u00e9"}`, '{"to": "Jane Miller é"}'],
    'JSON in JSON': [JSON.stringify({ a: '{"to": "Carl"}' }), JSON.stringify({ a: '{"to": "O\\"Neil"}' })],
    numbers: ['[4111111111111111, 1]', '[4012888888881881, 1]'],
    'numbers whose originals are none': ['[4222222, "4222222"]', '[4222222, "4012 8888"]'],
    addresses: [
      '{"url":"https://evil.example/?q=Ann Smith","to":"Ann Smith"}',
      '{"url":"https://evil.example/?q=Ann Smith","to":"Jane Miller"}',
    ],
  }
  for (const [what, [json, expected]] of Object.entries(cases))
    it(`stays JSON: ${what}`, async () => {
      const text = await said(json)
      if (what === 'addresses')
        expect(JSON.parse(text)).to.deep.equal({ url: 'https://evil.example/?q=Ann Smith', to: 'Jane Miller' })
      expect(text).to.equal(expected)
    })

  it('has placeholders as models escape them', async () => {
    expect(await said(String.raw`{"to": "\u003cPERSON_1\u003e"}`, 'category')).to.equal(String.raw`{"to": "O\"Neil"}`)
  })

  it('is restored as text where it is none', async () => {
    expect(await said('{"to": "Carl", and', 'fake')).to.equal('{"to": "O"Neil", and')
  })
})

const call = (name: string, ...to: readonly string[]): ChatChunk[] => [
  { toolCall: { index: 0, id: 'call_1', name, arguments: '' } },
  ...JSON.stringify({ to: to.length > 1 ? to : to[0] })
    .split('')
    .map((char) => ({ toolCall: { index: 0, arguments: char } })),
]

const argumentsIn = (chunks: readonly ChatChunk[]): unknown =>
  JSON.parse(chunks.map((chunk) => ('toolCall' in chunk ? chunk.toolCall.arguments : '')).join(''))

const remoteTools = new Map([
  ['mail', 'crm'],
  ['post', 'blog'],
  ['send', undefined],
])

describe('the arguments of tools', () => {
  const cases: readonly (readonly [what: string, tool: string, listed: boolean, expected: string])[] = [
    ['of the caller’s own functions', 'write', false, 'O"Neil'],
    ['of a listed server', 'mail', true, 'O"Neil'],
    ['of another server', 'post', true, 'Carl'],
    ['of a server that the request names', 'send', true, 'Carl'],
    ['of a server, where none is listed', 'mail', false, 'Carl'],
  ]
  for (const [what, tool, listed, expected] of cases)
    it(`${what} have ${expected}`, async () => {
      const policy = { method: 'fake', restore: listed ? { servers: ['crm'] } : true } as const
      const { chunks, verdicts } = await restored(asked, saying(call(tool, 'Carl')), policy, { remoteTools })
      expect(argumentsIn(chunks)).to.deep.equal({ to: expected })
      const unrestored = verdicts.flatMap(({ unrestored: counts }) => (counts ? [counts] : []))
      expect(unrestored).to.deep.equal(expected === 'Carl' ? [{ PERSON: 1 }] : [])
    })

  it('are restored behind an address, as they are not shown as text', async () => {
    const url = 'https://example.org/'
    const heard = await restored(asked, saying(call('write', url, 'Carl')), { method: 'fake' })
    expect(argumentsIn(heard.chunks)).to.deep.equal({ to: [url, 'O"Neil'] })
  })

  it('of several calls are restored, each by itself', async () => {
    const chunks: ChatChunk[] = [0, 1].flatMap((index) => [
      { toolCall: { index, id: `call_${index}`, name: 'write', arguments: '{' } },
    ])
    chunks.push(...[0, 1].map((index) => ({ toolCall: { index, arguments: `"to": "Ann Smi` } })))
    chunks.push(...[0, 1].map((index) => ({ toolCall: { index, arguments: `th ${index}"}` } })))
    const heard = await restored(asked, saying(chunks), { method: 'fake' })
    for (const index of [0, 1]) {
      const own = heard.chunks.filter((chunk) => 'toolCall' in chunk && chunk.toolCall.index === index)
      expect(argumentsIn(own)).to.deep.equal({ to: `Jane Miller ${index}` })
    }
  })
})

describe('a call of a tool server', () => {
  const sent = async (
    request: Partial<ToolCallRequest>,
    servers: readonly string[] = ['crm'],
    [says, read] = ['Bob Jones says hello to Jane Miller', 'Tom Brown says hello to Ann Smith'],
  ) => {
    const vault = new Vault()
    const policy = { input: { pii: restoring({ method: 'fake', restore: { servers } }) } }
    const context = { policy, detectors: { pii: names }, vault }
    const model = guard(chat, saying([]), context)
    for await (const chunk of model.stream(userSays(asked), testCall())) expect(chunk).to.have.property('finish')
    let heard: unknown
    const service: ToolsCapability = {
      list: () => Promise.resolve({ servers: [] }),
      call: (one) => {
        heard = one.arguments
        return Promise.resolve({ output: says })
      },
    }
    const guarded = guard(tools, service, context)
    const complete = { server: 'crm', name: 'mail', arguments: { to: 'Carl', cc: 'Jane Miller' }, ...request }
    const { output } = await guarded.call(complete, testCall())
    expect(output).to.equal(read)
    return heard
  }

  it('has the originals where the operator lists the server', async () => {
    expect(await sent({})).to.deep.equal({ to: 'O"Neil', cc: 'Jane Miller' })
  })

  it('may repeat a substitute that it was sent; another one is somebody’s name', async () => {
    await sent({ arguments: { to: 'Ann Smith' } }, [], ['Ann Smith', 'Ann Smith'])
    await sent({ arguments: {} }, [], ['Ann Smith', 'Ann Smith-fake'])
  })

  it('has substitutes for others', async () => {
    expect(await sent({}, [])).to.deep.equal({ to: 'Carl', cc: 'Ann Smith' })
    expect(await sent({ server: 'blog' })).to.deep.equal({ to: 'Carl', cc: 'Ann Smith' })
    const requested = { label: 'crm', url: 'https://evil.example/' }
    expect(await sent({ requested })).to.deep.equal({ to: 'Carl', cc: 'Ann Smith' })
  })
})
