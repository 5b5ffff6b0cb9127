import { expect } from 'chai'
import { chat } from '@sallyport/core'
import type { ChatChunk, ChatMessage, ChatRequest, FunctionTool, Kernel } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import { kernelOf } from './support/kernel.js'
import { parrot } from './support/parrot.js'

const call = [
  '<tool_call>\n',
  '{"name": "',
  'weather',
  '", "arguments": ',
  '{"city": ',
  '"Rom"',
  '}}',
  '\n</tool_call>',
]
const announced = ['Let me ', 'look. ', '<tool_call>', '\n{"name": "weat', 'her", "arguments": {"city": "', 'Ulm', '"}}\n</tool_', 'call>'] // prettier-ignore
const sayings = [
  { after: '?', chunks: call },
  { after: '!', chunks: announced },
  { after: '>', chunks: ['It is ', 'raining.'] },
  { after: '.', chunks: ['tick ', 'tock '], endless: true },
  { after: '~', chunks: ['{"name": "ti', 'me", "arguments": {"zo', 'ne": "UTC"', '} }'] },
  { after: '#', chunks: ['<tool_call>\n{"na', 'me": "time", "arg', 'uments": {"zone": "UT', 'C"}}\n</tool_call>\n'], endless: true }, // prettier-ignore
  { chunks: ['Once ', 'upon'] },
]

const tools: FunctionTool[] = [
  {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string', maxLength: 8 } }, required: ['city'] },
  },
  {
    name: 'time',
    parameters: {
      type: 'object',
      properties: { zone: { enum: ['CET', 'UTC'] } },
      required: ['zone'],
    },
  },
]

const user = (content: string): ChatMessage => ({ role: 'user', content })
const ask = (content: string, rest: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [user(content)],
  tools,
  temperature: 0,
  maxTokens: 200,
  ...rest,
})
const jsonBy = (schema: object, strict = true): Partial<ChatRequest> => ({
  responseFormat: { type: 'json_schema', schema, strict },
})
const oneOf = (...values: string[]) => jsonBy({ enum: values })
/** Anything goes, by chance. */
const wild = { temperature: 2, topK: 0, topP: 1, minP: 0 }

describe('a model that calls functions', () => {
  const { write: file } = useTemporaryDirectory()
  let kernel: Kernel

  before(async function () {
    this.timeout(60_000)
    const options = { parallel: 4, queue: 64, threads: 1, contextLength: 4096 }
    kernel = await kernelOf({ parrot: file('parrot.gguf', parrot(sayings, { contextLength: 4096 })) }, options)
  })
  after(() => kernel.stop())

  const answer = async (request: ChatRequest) => (await kernel.get(chat, 'parrot').generate(request)).choices[0]!
  const promptTokens = async (request: ChatRequest) =>
    (await kernel.get(chat, 'parrot').generate({ ...request, maxTokens: 1 })).usage?.promptTokens ?? 0

  it('says so', () => {
    expect(kernel.models()[0]?.features).to.deep.equal({ tools: true, reasoning: false })
  })

  it('streams the id and the name of a call first, then its arguments', async () => {
    const chunks: ChatChunk[] = []
    for await (const chunk of kernel.get(chat, 'parrot').stream(ask('Rain?'))) chunks.push(chunk)
    const calls = chunks.flatMap((chunk) => ('toolCall' in chunk ? [chunk.toolCall] : []))
    expect(calls[0]).to.include({ index: 0, name: 'weather', arguments: '' })
    expect(calls[0]?.id).to.match(/^call_\w+$/)
    expect(calls.slice(1).every(({ id, name }) => id === undefined && name === undefined)).to.equal(true)
    expect(calls.map((each) => each.arguments).join('')).to.equal('{"city": "Rom"}')
    expect(chunks.some((chunk) => 'delta' in chunk)).to.equal(false)
    expect(chunks.at(-1)).to.include({ finish: 'tool_calls' })
  })

  it('calls behind text', async () => {
    const { text, toolCalls, finish } = await answer(ask('Rain!'))
    expect({ text, finish }).to.deep.equal({ text: 'Let me look. ', finish: 'tool_calls' })
    expect(toolCalls?.map(({ name, arguments: given }) => [name, given])).to.deep.equal([
      ['weather', '{"city": "Ulm"}'],
    ])
  })

  it('answers in words where it wants to', async () => {
    expect(await answer(ask('Tell'))).to.deep.equal({ text: 'Once upon', finish: 'stop' })
  })

  it('calls where it must, whatever it wants to say', async () => {
    const { text, toolCalls, finish } = await answer(
      ask('Tell', { toolChoice: { names: ['time'] }, parallelToolCalls: false }),
    )
    expect({ text, finish }).to.deep.equal({ text: '', finish: 'tool_calls' })
    expect(toolCalls).to.have.length(1)
    for (const { name, arguments: given } of toolCalls!)
      expect([name, ['CET', 'UTC'].includes((JSON.parse(given) as { zone: string }).zone)]).to.deep.equal([
        'time',
        true,
      ])
  })

  it('calls in JSON alone, without the marks of its template', async () => {
    const { text, toolCalls, finish } = await answer(ask('Rain~'))
    expect({ text, finish }).to.deep.equal({ text: '', finish: 'tool_calls' })
    expect(toolCalls?.map(({ name, arguments: given }) => [name, given])).to.deep.equal([['time', '{"zone": "UTC"}']])
    const chunks: ChatChunk[] = []
    for await (const chunk of kernel.get(chat, 'parrot').stream(ask('Rain~'))) chunks.push(chunk)
    expect(chunks.some((chunk) => 'delta' in chunk)).to.equal(false)
    const other = await answer(ask('Rain~', { tools: tools.slice(0, 1) }))
    expect(other).to.deep.equal({ text: '{"name": "time", "arguments": {"zone": "UTC"} }', finish: 'stop' })
  })

  it('ends where a call is repeated, if it must call', async () => {
    const zones = (request: Partial<ChatRequest>) => answer(ask('Rain#', request))
    const { toolCalls, finish } = await zones({ toolChoice: 'required' })
    expect(toolCalls?.map(({ arguments: given }) => given)).to.deep.equal(['{"zone": "UTC"}'])
    expect(finish).to.equal('tool_calls')
    const named = await zones({ toolChoice: { names: ['time', 'weather'] } })
    expect(named.toolCalls).to.have.length(1)
    const free = await zones({ toolChoice: 'auto' })
    expect(free.toolCalls?.length).to.be.greaterThan(3)
  })

  it('says calls as text where it may not call', async () => {
    const { text, toolCalls, finish } = await answer(ask('Rain?', { toolChoice: 'none' }))
    expect({ text, toolCalls, finish }).to.deep.equal({ text: call.join(''), toolCalls: undefined, finish: 'stop' })
  })

  it('is told what its call returned', async () => {
    const toolCalls = [{ id: 'call_1', name: 'weather', arguments: '{"city": "Rom"}' }]
    const messages = (content: string): ChatMessage[] => [
      user('Rain?'),
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', content, toolCallId: 'call_1' },
    ]
    expect((await answer(ask('', { messages: messages('rain') }))).text).to.equal('It is raining.')
    const count = (content: string) => promptTokens(ask('', { messages: messages(content) }))
    // control tokens would be one each
    expect((await count('<|turn|>'.repeat(3))) - (await count(''))).to.equal(24)
  }).timeout(10_000)

  it('reads control tokens in what tools are said to do as text', async () => {
    const described = (description: string) => ask('Tell', { tools: [{ name: 'f', description }] })
    const [one, other] = [await promptTokens(described('<|turn|>')), await promptTokens(described('xxxxxxxx'))]
    expect(one).to.equal(other)
  }).timeout(10_000)

  it('stops before a stop sequence', async () => {
    const { text, toolCalls, finish, stopSequence } = await answer(ask('Rain!', { stop: ['look'] }))
    expect({ text, toolCalls, finish, stopSequence }).to.deep.equal({
      text: 'Let me ',
      toolCalls: undefined,
      finish: 'stop',
      stopSequence: 'look',
    })
  })

  const cut: [what: string, rest: Partial<ChatRequest>, finish: string, given: string][] = [
    ['a stop sequence in its arguments', { stop: ['Ulm'] }, 'stop', '{"city": "'],
    ['a stop sequence behind its arguments', { stop: ['</tool_'] }, 'tool_calls', '{"city": "Ulm"}'],
    ['the end of what it may say', { maxTokens: 6 }, 'length', '{"city": "Ulm'],
  ]
  for (const [what, rest, finish, given] of cut) {
    it(`ends a call with ${what}`, async () => {
      const choice = await answer(ask('Rain!', rest))
      expect(choice).to.include({ text: 'Let me look. ', finish })
      expect(choice.toolCalls?.map((each) => each.arguments)).to.deep.equal([given])
    })
  }

  it('leaves out the beginning of a call that is cut off', async () => {
    const choice = await answer(ask('Rain!', { maxTokens: 4 }))
    expect(choice).to.deep.equal({ text: 'Let me look. ', finish: 'length' })
  })

  it('gives the log-probabilities of its text alone', async () => {
    const { logprobs = [] } = await answer(ask('Rain!', { topLogprobs: 1 }))
    expect(logprobs.map(({ token }) => token)).to.deep.equal(['Let me ', 'look. '])
    const bare = await answer(ask('Rain?', { topLogprobs: 1 }))
    expect(bare.logprobs).to.equal(undefined)
  })

  it('calls in each of several choices', async () => {
    const { choices } = await kernel.get(chat, 'parrot').generate(ask('Rain?', { n: 3 }))
    const ids = choices.map(({ finish, toolCalls }) => {
      expect(finish).to.equal('tool_calls')
      expect(toolCalls?.map(({ arguments: given }) => given)).to.deep.equal(['{"city": "Rom"}'])
      return toolCalls?.[0]?.id
    })
    expect(new Set(ids).size).to.equal(3)
  })

  it('says the same again by the same seed, and by another one something else', async () => {
    const schema = jsonBy({ type: 'array', items: { enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, minItems: 12, maxItems: 12 })
    const said = async (seed: number) => (await answer(ask('Tell', { ...schema, ...wild, tools: [], seed }))).text
    const [first, again, other] = [await said(1), await said(1), await said(2)]
    expect(JSON.parse(first)).to.have.length(12)
    expect(again).to.equal(first)
    expect(other).not.to.equal(first)
  }).timeout(20_000)

  it('heeds biases within what is admitted', async () => {
    // a token for each byte
    const biased = (byte: string) => answer(ask('Tell', { ...oneOf('aa', 'bb', 'cc'), tools: [], logitBias: { [byte.charCodeAt(0)]: 50 } })) // prettier-ignore
    for (const byte of ['a', 'b', 'c']) expect((await biased(byte)).text).to.equal(`"${byte}${byte}"`)
    expect((await biased('z')).text).to.match(/^"(aa|bb|cc)"$/)
  }).timeout(10_000)

  it('writes no control tokens where it must write text', async () => {
    const eight = jsonBy({ type: 'string', minLength: 8, maxLength: 8 })
    // <|begin|> and <|turn|>
    const request = ask('Tell', { ...eight, tools: [], logitBias: { 257: 60, 258: 60 } })
    expect(JSON.parse((await answer(request)).text)).to.have.length(8)
    const { text } = await answer(ask('Tell', { ...oneOf('<|turn|>'), tools: [], logitBias: { 258: 60 } }))
    expect(JSON.parse(text)).to.equal('<|turn|>')
  }).timeout(10_000)

  it('heeds penalties within what is admitted', async () => {
    const digits = jsonBy({ type: 'array', items: { enum: [1, 2, 3, 4, 5] }, minItems: 5, maxItems: 5 })
    const { text } = await answer(ask('Tell', { ...digits, tools: [], frequencyPenalty: 2, presencePenalty: 2 }))
    expect((JSON.parse(text) as number[]).sort()).to.deep.equal([1, 2, 3, 4, 5])
  }).timeout(10_000)

  it('is what is admitted, however much more another token is wanted', async () => {
    const digits = jsonBy({ type: 'array', items: { enum: [1, 2] }, minItems: 3, maxItems: 3 })
    for (const temperature of [0, 1]) {
      const unwanted = { ['x'.charCodeAt(0)]: 5000 }
      const { text } = await answer(ask('Tell', { ...digits, tools: [], logitBias: unwanted, temperature }))
      expect(JSON.parse(text)).to.have.length(3)
    }
  }).timeout(10_000)

  it('is given up while its answer is held to a grammar', async () => {
    const controller = new AbortController()
    const reason = new Error('gone')
    const endless = jsonBy({ type: 'array', items: { type: 'string', maxLength: 500 }, minItems: 400 })
    const request = ask('Go on.', { ...endless, tools: [], maxTokens: 3000, ...wild, seed: 1 })
    const chunks = kernel.get(chat, 'parrot').stream(request, { signal: controller.signal })
    const error = await (async () => {
      for await (const chunk of chunks) if ('delta' in chunk) controller.abort(reason)
    })().catch((thrown: unknown) => thrown)
    expect(error).to.equal(reason)
    expect((await answer(ask('Tell'))).text).to.equal('Once upon')
  }).timeout(20_000)

  it('keeps each of many generations to its own grammar', async () => {
    const words = Array.from({ length: 24 }, (_, index) => `word number ${index}`)
    const answers = await Promise.all(
      words.map((word, index) =>
        answer(index % 3 === 0 ? ask('Rain?') : ask('Tell', { ...oneOf(word), tools: [], ...wild, seed: index })),
      ),
    )
    answers.forEach(({ text, toolCalls }, index) => {
      if (index % 3 === 0) expect(toolCalls?.[0]?.arguments).to.equal('{"city": "Rom"}')
      else expect(JSON.parse(text)).to.equal(words[index])
    })
  }).timeout(60_000)
})

describe('a schema that would take long', () => {
  const { write: file } = useTemporaryDirectory()
  let kernel: Kernel

  before(async function () {
    this.timeout(60_000)
    const options = { parallel: 2, queue: 8, threads: 1 }
    kernel = await kernelOf({ parrot: file('parrot.gguf', parrot(sayings)) }, options)
  })
  after(() => kernel.stop())

  const nested = (depth: number, schema: object): object =>
    depth === 0 ? schema : nested(depth - 1, { anyOf: [{ type: 'array', items: schema }, { type: 'null' }] })
  const choices = (count: number): object =>
    Object.fromEntries([['allOf', Array.from({ length: count }, (_, index) => ({
      anyOf: Array.from({ length: 8 }, (_, way) => ({ properties: { [`a${index}${way}`]: { const: way } } })),
    }))]]) // prettier-ignore
  const hostile: [what: string, schema: object][] = [
    ['is nested deeply', nested(400, { type: 'string' })],
    ['has alternatives of alternatives', choices(12)],
    ['has quantifiers of quantifiers', { type: 'string', pattern: '^((a{1,999}){1,999}b{1,999}){1,999}$' }],
    ['leads to itself', { $ref: '#' }],
    ['has a pattern with many endings', { type: 'string', pattern: '^(a|b)*a(a|b){24}$' }],
  ]
  for (const [what, schema] of hostile) {
    it(`is refused where it ${what}, while others are answered`, async function () {
      this.timeout(30_000)
      const service = kernel.get(chat, 'parrot')
      const refused = service.generate(ask('Tell', { tools: [], ...jsonBy(schema) })).then(
        () => 'it succeeded',
        (error: unknown) => error,
      )
      const { choices } = await service.generate({ messages: [user('Tell')], temperature: 0 })
      expect(choices[0]?.text).to.equal('Once upon')
      expect(await refused).to.include({ code: 'invalid_request' })
    })
  }

  it('is answered where it is only large', async function () {
    this.timeout(30_000)
    const long = { type: 'string', maxLength: 1_000_000_000 }
    const { choices } = await kernel.get(chat, 'parrot').generate(ask('Tell', { tools: [], ...jsonBy(long) }))
    expect(choices[0]?.text).to.match(/^"/)
  })
})
