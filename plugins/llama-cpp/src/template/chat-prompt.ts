import { textOf } from '@sallyport/core'
import type { ChatMessage, ToolCall } from '@sallyport/core'
import { joinTokens } from '../engine/vocabulary.js'
import type { Vocabulary } from '../engine/vocabulary.js'
import { ControlTexts } from './content-mark.js'
import type { TemplateMessage, TemplateToolCall } from './render-protocol.js'
import type { Renderer } from './renderer.js'

/** Makes the prompt's tokens of a conversation, with the model's own chat template. */
export class ChatPrompt {
  private readonly controls: ControlTexts

  constructor(
    private readonly renderer: Renderer,
    private readonly vocabulary: Vocabulary,
  ) {
    this.controls = new ControlTexts(vocabulary.controls)
  }

  /** @throws invalid_request */
  async tokens(messages: readonly ChatMessage[]): Promise<Uint32Array> {
    const mark = ControlTexts.createMark()
    const protect = (text: string) => this.controls.protect(text, mark)
    const rendered = await this.renderer.render({
      messages: messages.map((message) => toTemplate(message, protect)),
      add_generation_prompt: true,
      bos_token: this.vocabulary.special('bos'),
      eos_token: this.vocabulary.special('eos'),
    })
    const stretches = this.controls.split(rendered, mark)
    const tokens = stretches.map((stretch) =>
      'token' in stretch ? [stretch.token] : this.vocabulary.tokenize(stretch.text),
    )
    return this.vocabulary.withStart(joinTokens(...tokens))
  }
}

type Protect = (text: string) => string

const toTemplate = (message: ChatMessage, protect: Protect): TemplateMessage => ({
  role: message.role,
  content: protect(textOf(message)),
  ...(message.reasoning === undefined ? {} : { reasoning_content: protect(message.reasoning) }),
  ...(message.toolCallId === undefined ? {} : { tool_call_id: protect(message.toolCallId) }),
  ...(message.toolCalls?.length ? { tool_calls: message.toolCalls.map((call) => toolCall(call, protect)) } : {}),
})

const toolCall = ({ id, name, arguments: text }: ToolCall, protect: Protect): TemplateToolCall => ({
  type: 'function',
  id: protect(id),
  function: { name: protect(name), arguments: protectAll(parsed(text), protect) },
})

/** Templates write arguments as JSON themselves; what is not JSON stays text. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const protectAll = (value: unknown, protect: Protect): unknown => {
  if (typeof value === 'string') return protect(value)
  if (Array.isArray(value)) return value.map((item) => protectAll(item, protect))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [protect(key), protectAll(item, protect)]))
}
