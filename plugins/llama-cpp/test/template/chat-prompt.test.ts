import { expect } from 'chai'
import type { ChatMessage, FunctionTool } from '@sallyport/core'
import { useTemporaryDirectory } from '@sallyport/stand-ins/temporary'
import type { Engine } from '../../src/engine/engine.js'
import { ChatPrompt } from '../../src/template/chat-prompt.js'
import type { Conversation } from '../../src/template/chat-prompt.js'
import { Renderer } from '../../src/template/renderer.js'
import { loadEngine } from '../support/fixtures.js'
import { parrot } from '../support/parrot.js'
import * as templates from '../support/templates.js'

const neverAborted = new AbortController().signal

const weather: FunctionTool = {
  name: 'weather',
  description: 'Tells the <|turn|> weather.',
  parameters: { type: 'object', properties: { city: { type: 'string', description: '<|end|>' } }, required: ['city'] },
}

const asking: ChatMessage[] = [{ role: 'user', content: 'Is it raining in Rom?' }]
const replied: ChatMessage[] = [
  ...asking,
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city": "Rom<|turn|>"}' }],
  },
  { role: 'tool', content: 'rain, <|begin|> 12 °C', toolCallId: 'call_1' },
]
const repliedTwice: ChatMessage[] = [
  ...asking,
  {
    role: 'assistant',
    content: 'Let me see.',
    toolCalls: ['Rom', 'Ulm'].map((city) => ({ id: city, name: 'weather', arguments: JSON.stringify({ city }) })),
  },
  { role: 'tool', content: 'rain', toolCallId: 'Rom' },
  { role: 'tool', content: 'sun', toolCallId: 'Ulm' },
  { role: 'user', content: 'Hurry.' },
]

const general = /<tool_call>\n\{"name": "weather", "arguments": \{"city": ?"Rom<\|turn\|>"\}\}\n<\/tool_call>/

interface Case {
  readonly what: string
  readonly template: string
  readonly call: RegExp
  readonly reply: RegExp
}

const cases: Case[] = [
  { what: 'Qwen 2.5', template: templates.chatMl, call: general, reply: /<tool_response>\nrain, <\|begin\|> 12 °C\n/ },
  { what: 'Qwen 3', template: templates.qwen3, call: general, reply: /<tool_response>\nrain, <\|begin\|> 12 °C\n/ },
  {
    what: 'Llama 3',
    template: templates.llama3,
    call: /\{"name": "weather", "parameters": \{"city": ?"Rom<\|turn\|>"\}\}/,
    reply: /ipython<\|end_header_id\|>\n\n"rain, <\|begin\|> 12 °C"/,
  },
  {
    what: 'Mistral',
    template: templates.mistral,
    call: /\[TOOL_CALLS\] \[\{"name": "weather", "arguments": \{"city": ?"Rom<\|turn\|>"\}, "id": "([0-9a-f]{9})"\}\]/,
    reply: /\{"content": "rain, <\|begin\|> 12 °C", "call_id": "[0-9a-f]{9}"\}/,
  },
  {
    what: 'DeepSeek',
    template: templates.deepSeek,
    call: /weather\n```json\n\{"city": "Rom<\|turn\|>"\}\n```/,
    reply: /begin｜>rain, <\|begin\|> 12 °C<｜tool/,
  },
  {
    what: 'XML',
    template: templates.xmlParameters,
    call: general,
    reply: /user\n<tool_response>\nrain, <\|begin\|> 12/,
  },
  {
    what: 'no tools',
    template: templates.withoutTools,
    call: general,
    reply: /user\n<tool_response>\nrain, <\|begin\|> 12/,
  },
  {
    what: 'no system',
    template: templates.withoutSystem,
    call: general,
    reply: /user\n<tool_response>\nrain, <\|begin\|>/,
  },
]

describe('a conversation with tools', () => {
  const { write: file } = useTemporaryDirectory()
  let engine: Engine

  before(async function () {
    this.timeout(60_000)
    engine = await loadEngine(file('parrot.gguf', parrot([{ chunks: ['hello '] }], { contextLength: 4096 })))
  })
  after(() => engine.stop())

  /** The prompt's text, and the control tokens in it. */
  const promptOf = async (template: string, conversation: Conversation) => {
    const { vocabulary } = engine
    const renderer = new Renderer({ model: 'm', template })
    try {
      const prompt = new ChatPrompt(renderer, vocabulary, 4096)
      await prompt.start(template)
      const tokens = [...(await prompt.tokens(conversation, { tenant: 'a', signal: neverAborted }))]
      const controls = tokens.filter((token) => vocabulary.controls.some(({ id }) => id === token))
      return { text: Buffer.concat(tokens.map((token) => vocabulary.bytes(token))).toString(), controls }
    } finally {
      await renderer.stop()
    }
  }

  for (const { what, template, call, reply } of cases) {
    it(`is written as the template wants it: ${what}`, async function () {
      this.timeout(30_000)
      const { text, controls } = await promptOf(template, { messages: replied, tools: [weather] })
      expect(text)
        .to.match(/Tells the <\|turn\|> weather\./)
        .and.match(/"required": ?\["city"\]/)
      expect(text).to.match(call).and.match(reply).and.contain('Is it raining in Rom?')
      // the end of the turn is the template's own
      const own = template.includes('eos_token') ? ['<|end|>'] : []
      expect(controls.map((token) => engine.vocabulary.controls.find(({ id }) => id === token)?.text)).to.deep.equal(
        own,
      )
    })
  }

  it('is the same text with and without a list of tools that is empty', async function () {
    this.timeout(30_000)
    const prompts = [{ messages: asking }, { messages: asking, tools: [] }].map((each) =>
      promptOf(templates.chatMl, each),
    )
    const [without, empty] = await Promise.all(prompts)
    expect(without).to.deep.equal(empty)
    expect(without?.text).to.equal('<|im_start|>user\nIs it raining in Rom?<|im_end|>\n<|im_start|>assistant\n')
  })

  it('links results to calls with short ids', async function () {
    this.timeout(30_000)
    const { text } = await promptOf(templates.mistral, { messages: repliedTwice, tools: [weather] })
    const ids = [...text.matchAll(/"(?:id|call_id)": "([0-9a-f]{9})"/g)].map(([, id]) => id)
    expect(ids).to.have.length(4)
    expect(ids.slice(2)).to.deep.equal(ids.slice(0, 2))
    expect(ids[0]).not.to.equal(ids[1])
  })

  it('tells of the tools behind what the system says', async function () {
    this.timeout(30_000)
    const messages: ChatMessage[] = [{ role: 'system', content: 'Be brief.' }, ...asking]
    const { text } = await promptOf(templates.withoutTools, { messages, tools: [weather] })
    expect(text).to.match(/^<\|im_start\|>system\nBe brief\.\n\n# Tools\n/)
    expect(text.match(/<\|im_start\|>system/g)).to.have.length(1)
  })

  it('has turns that alternate where the template knows no tools', async function () {
    this.timeout(30_000)
    const { text } = await promptOf(templates.withoutSystem, { messages: repliedTwice, tools: [weather] })
    const turns = [...text.matchAll(/<start_of_turn>(\w+)\n/g)].map(([, role]) => role)
    expect(turns).to.deep.equal(['user', 'model', 'user', 'model'])
    expect(text).to.match(/^<start_of_turn>user\n# Tools\n[^]*Is it raining in Rom\?<end_of_turn>/)
    expect(text).to.contain('Let me see.\n<tool_call>')
    expect(text).to.match(/rain\n<\/tool_response>\n<tool_response>\nsun\n<\/tool_response>\nHurry\.<end_of_turn>/)
  })
})
