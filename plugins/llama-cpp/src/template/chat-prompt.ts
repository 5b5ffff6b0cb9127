import { createHash } from 'node:crypto'
import { failure } from '@sallyport/core'
import type { ChatMessage, ChatRequest, FunctionTool, ToolCall } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { textOf } from '@sallyport/kit/generation'
import { writtenId } from '../answer/syntax.js'
import type { CallSyntax, ThoughtSyntax } from '../answer/syntax.js'
import { SliceTokenizer } from '../engine/slice-tokenizer.js'
import type { Vocabulary } from '../engine/vocabulary.js'
import { ControlTexts } from './content-mark.js'
import type { Stretch } from './content-mark.js'
import { generalSyntax, withGeneralTools } from './general-tools.js'
import type { TemplateMessage, TemplateTool, TemplateToolCall, TemplateVariables } from './render-protocol.js'
import type { Renderer } from './renderer.js'
import { probeSyntax } from './syntax-probe.js'
import type { TemplateSyntax } from './syntax-probe.js'

/** What of a request the prompt is made of. */
export type Conversation = Pick<ChatRequest, 'messages' | 'tools' | 'reasoningEffort'>

/** Makes the prompt's tokens of a conversation, with the model's own chat template. */
export class ChatPrompt {
  private readonly controls: ControlTexts
  private syntax: TemplateSyntax = { takesSystem: true }
  private markTokens: ReadonlySet<number> = new Set()

  /** @param contextLength tokens of prompt and answer together */
  constructor(
    private readonly renderer: Renderer,
    private readonly vocabulary: Vocabulary,
    private readonly contextLength: number,
  ) {
    this.controls = new ControlTexts(vocabulary.controls)
  }

  /** Reads the template, tries it on the simplest conversations, and finds out how it writes calls. @throws model_invalid */
  async start(template: string): Promise<void> {
    const [system, user] = [message('system'), message('user')]
    await this.renderer.start([[user], [system, user]].map((messages) => this.variables({ messages })))
    const endings = this.vocabulary.controls.filter(({ id }) => this.vocabulary.endsGeneration(id))
    const render = (variables: Partial<TemplateVariables>) =>
      this.renderer.attempt(this.variables({ messages: [], add_generation_prompt: false, ...variables }))
    this.syntax = await probeSyntax(
      render,
      template,
      endings.map(({ text }) => text),
    )
    this.markTokens = this.findMarks()
  }

  /** Control tokens that mark calls or thoughts. */
  get marks(): ReadonlySet<number> {
    return this.markTokens
  }

  /** How the model writes calls of functions. */
  get calls(): CallSyntax {
    return this.syntax.calls ?? generalSyntax
  }

  /** How it thinks; absent where it does not. */
  get thoughts(): ThoughtSyntax | undefined {
    return this.syntax.thoughts
  }

  /** @throws invalid_request, context_exceeded, overloaded, model_unavailable; the signal's reason when aborted */
  async tokens(conversation: Conversation, asking: Requester): Promise<Uint32Array> {
    const { messages, tools = [], reasoningEffort } = this.written(conversation)
    this.refuseTooLong(messages)
    const mark = ControlTexts.createMark()
    const protect = (text: string) => this.controls.protect(text, mark)
    const variables = this.variables({
      messages: messages.map((message) => toTemplate(message, protect, this.syntax.argumentsAsText ?? false)),
      ...(tools.length > 0 ? { tools: tools.map((tool) => toTemplateTool(tool, protect)) } : {}),
      ...(reasoningEffort ? { reasoning_effort: reasoningEffort } : {}),
    })
    const rendered = await this.renderer.render(variables, asking)
    return this.vocabulary.withStart(await this.tokensOf(this.controls.split(rendered, mark), asking))
  }

  /** Writes tools, calls and results as text where the template does not know them. */
  private written({ messages, tools = [], ...rest }: Conversation): Conversation {
    return this.syntax.calls
      ? { messages, tools, ...rest }
      : { messages: [...withGeneralTools(messages, tools, this.syntax.takesSystem ? 'system' : 'user')], ...rest }
  }

  private findMarks(): ReadonlySet<number> {
    const { begin, middle, between = [], end } = this.calls
    const fixed = [begin, middle, between, end].flat().filter((part) => part !== writtenId)
    const texts = [...fixed, this.thoughts?.begin ?? '', this.thoughts?.end ?? '']
    const marking = this.vocabulary.controls.filter(({ text }) => texts.some((each) => each.includes(text)))
    return new Set(marking.map(({ id }) => id))
  }

  private async tokensOf(stretches: readonly Stretch[], asking: Requester): Promise<Uint32Array> {
    const { vocabulary, contextLength: limit } = this
    const tokenizer = new SliceTokenizer({ vocabulary, limit, pacer: new Pacer(asking) })
    const tokens: number[] = []
    for (const stretch of stretches) {
      if ('token' in stretch) tokens.push(stretch.token)
      else for (const token of await tokenizer.tokenize(stretch.text, tokens.length)) tokens.push(token)
    }
    return Uint32Array.from(tokens)
  }

  private variables(given: Partial<TemplateVariables> & Pick<TemplateVariables, 'messages'>): TemplateVariables {
    const { vocabulary } = this
    return {
      add_generation_prompt: true,
      bos_token: vocabulary.special('bos'),
      eos_token: vocabulary.special('eos'),
      ...given,
    }
  }

  /**
   * Runs before the template: a text that is longer than so many of the longest tokens does not fit. What templates leave
   * out is not counted: white space around a text, and the reasoning in what the model itself said.
   */
  private refuseTooLong(messages: readonly ChatMessage[]): void {
    const given = messages.filter(({ role }) => role !== 'assistant')
    const length = given.reduce((sum, message) => sum + textOf(message).trim().length, 0)
    if (length <= this.contextLength) return
    const tokens = Math.ceil(length / this.vocabulary.maxTokenLength)
    const limit = this.contextLength
    if (tokens > limit) throw failure('context_exceeded', { tokens, limit, atLeast: true })
  }
}

const message = (role: 'system' | 'user'): TemplateMessage => ({ role, content: 'Hello' })

type Protect = (text: string) => string

const toTemplate = (message: ChatMessage, protect: Protect, argumentsAsText: boolean): TemplateMessage => ({
  role: message.role,
  content: protect(textOf(message)),
  ...(message.reasoning === undefined ? {} : { reasoning_content: protect(message.reasoning) }),
  ...(message.toolCallId === undefined ? {} : { tool_call_id: shortId(message.toolCallId) }),
  ...(message.toolCalls?.length
    ? { tool_calls: message.toolCalls.map((call) => toTemplateCall(call, protect, argumentsAsText)) }
    : {}),
})

const toTemplateCall = (
  { id, name, arguments: text }: ToolCall,
  protect: Protect,
  asText: boolean,
): TemplateToolCall => ({
  type: 'function',
  id: shortId(id),
  function: { name: protect(name), arguments: asText ? protect(text) : protectAll(parsed(text), protect) },
})

/** Nine letters and digits, which is all that Mistral's templates take. */
const shortId = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 9)

const toTemplateTool = ({ name, description, parameters }: FunctionTool, protect: Protect): TemplateTool => ({
  type: 'function',
  function: {
    name: protect(name),
    ...(description === undefined ? {} : { description: protect(description) }),
    parameters: protectAll(parameters ?? { type: 'object', properties: {} }, protect),
  },
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
