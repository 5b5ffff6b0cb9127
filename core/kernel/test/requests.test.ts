import { expect } from 'chai'
import { chat, completion, embedding, isSallyportError, rerank, tokens } from '@sallyport/core'
import type { Capability, Kernel } from '@sallyport/core'
import { pii } from '@sallyport/checks'
import reference from '@sallyport/testing/reference'
import { createKernel } from '../src/create-kernel.js'

type Methods = Readonly<Record<string, (request?: unknown, options?: unknown) => Promise<unknown>>>

const messages = [{ role: 'user', content: 'hi' }]

const cases: [ask: [Capability, string, unknown?, unknown?], message: string][] = [
  [
    [embedding, 'embed', { inputs: ['a'] }],
    'inputs[0]: must be an object with "text", "tokens", "image", "mediaType", but is a string',
  ],
  [[embedding, 'embed', { inputs: 'a' }], 'inputs: must be an array, but is a string'],
  [[embedding, 'embed', { inputs: [{}] }], 'inputs[0]: must have one of "text", "tokens", "image", "mediaType"'],
  [[embedding, 'embed', { inputs: [{ tokens: [1, '2'] }] }], 'inputs[0].tokens[1]: must be a number, but is a string'],
  [[embedding, 'embed', { input: [{ text: 'a' }] }], 'input: unknown field: did you mean "inputs"?'],
  [
    [embedding, 'embed', { inputs: [{ text: 'a' }], truncate: true }],
    'truncate: must be one of "left", "right", but is a boolean',
  ],
  [[chat, 'generate', { messages: 'hi' }], 'messages: must be an array, but is a string'],
  [
    [chat, 'generate', { messages: ['hi'] }],
    'messages[0]: must be an object with "role", "reasoning", "content", "toolCalls", "toolCallId", but is a string',
  ],
  [
    [chat, 'generate', { messages: [{ role: 'bot', content: 'hi' }] }],
    'messages[0].role: must be one of "system", "user", "assistant", "tool", but is a string',
  ],
  [
    [chat, 'generate', { messages: [{ role: 'user' }] }],
    'messages[0].content: must be a string or an array, but is missing',
  ],
  [
    [chat, 'generate', { messages: [{ role: 'user', content: new String('hi') }] }],
    'messages[0].content: must be a string or an array, but is a boxed primitive',
  ],
  [[chat, 'generate', { messages, max_tokens: 5 }], 'max_tokens: unknown field: did you mean "maxTokens"?'],
  [[chat, 'generate', { messages, maxTokens: '5' }], 'maxTokens: must be a number, but is a string'],
  [[chat, 'generate', { messages, stop: 'END' }], 'stop: must be an array, but is a string'],
  [
    [chat, 'generate', { messages, toolChoice: 'always' }],
    'toolChoice: must be one of "none", "auto", "required", but is a string',
  ],
  [
    [chat, 'generate', { messages, tools: [{ name: 'f', parameters: { type: Object } }] }],
    'tools[0].parameters.type: must be plain JSON, but is a function',
  ],
  [[chat, 'generate', { messages, n: 0 }], 'n: must be a whole number from 1 to 128'],
  [[chat, 'generate', { messages, n: 1e6 }], 'n: must be a whole number from 1 to 128'],
  [[chat, 'generate', { messages, maxTokens: 1.5 }], 'maxTokens: must be a whole number from 1'],
  [[chat, 'generate', { messages, temperature: 99 }], 'temperature: must be a number from 0 to 2'],
  [[chat, 'generate', { messages, topP: NaN }], 'topP: must be a number from 0 to 1'],
  [[chat, 'generate', { messages, stop: ['.', ''] }], 'stop[1]: must not be empty'],
  [[chat, 'generate', { messages: [] }], 'messages: must not be empty'],
  [[completion, 'generate', { prompt: 'x', maxTokens: -5 }], 'maxTokens: must be a whole number from 1'],
  [[chat, 'generate'], 'the request must be an object with "temperature", '],
  [
    [chat, 'generate', { messages }, { safeguard: {} }],
    'unknown option "safeguard" of the call: did you mean "safeguards"?',
  ],
  [
    [chat, 'generate', { messages }, { safeguards: { output: { toxcity: true } } }],
    'safeguards.output.toxcity: is not a known check: did you mean "toxicity"?',
  ],
  [[rerank, 'rerank', { query: 'q', documents: [{ text: 'd' }] }], 'documents[0]: must be a string, but is an object'],
  [[tokens, 'tokenize', 'hi'], 'the request must be an object with "text", but is a string'],
  [[pii, 'inspect', { text: 5 }], 'text: must be a string, but is a number'],
]

describe('requests of programs that embed the kernel', () => {
  let kernel: Kernel
  before(async () => {
    kernel = await createKernel({ plugins: [reference] })
  })
  after(() => kernel.stop())

  for (const [[capability, method, request, options], message] of cases)
    it(`are refused with the name of the field: ${message}`, async () => {
      const error: unknown = await (kernel.get(capability) as unknown as Methods)[method]!(request, options).catch(
        (thrown: unknown) => thrown,
      )
      expect(isSallyportError(error) && error.code).to.equal('invalid_request')
      expect((error as Error).message).to.contain(message)
    })

  const misused: [arguments: unknown[], message: string][] = [
    [[], 'get() takes a capability, such as chat of @sallyport/core'],
    [['chat'], 'get() takes a capability, such as chat of @sallyport/core'],
    [[chat, { model: 'm' }], 'get() takes the id or alias of a model, a string'],
  ]
  for (const [given, message] of misused)
    it(`are for a capability, and for a model by its id: ${JSON.stringify(given).slice(0, 20)}`, () => {
      const get = kernel.get.bind(kernel) as unknown as (...given: unknown[]) => unknown
      expect(() => get(...given)).to.throw(message)
    })

  it('are for a kernel that has a configuration', async () => {
    const create = createKernel as unknown as (config?: unknown) => Promise<Kernel>
    for (const given of [undefined, './sallyport.yaml', []]) {
      const error: unknown = await create(given).catch((thrown: unknown) => thrown)
      expect(error).to.be.an('error').with.property('message').that.contains('createKernel() takes a configuration')
    }
  })

  it('are refused at the first step of a stream', async () => {
    const stream = kernel.get(chat).stream({ messages: 'hi' } as never)
    const error: unknown = await stream[Symbol.asyncIterator]()
      .next()
      .catch((thrown: unknown) => thrown)
    expect(isSallyportError(error) && error.code).to.equal('invalid_request')
  })

  it('may say of a field that it is undefined', async () => {
    const { choices } = await kernel.get(chat).generate({ messages: messages as never, maxTokens: undefined } as never)
    expect(choices).to.have.length(1)
  })
})
