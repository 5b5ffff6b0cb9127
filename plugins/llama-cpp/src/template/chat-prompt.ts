import { createHash } from 'node:crypto'
import { failure } from '@sallyport/core'
import type { ChatMessage, ChatRequest, FunctionTool, ToolCall } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { textOf } from '@sallyport/kit/generation'
import { idPlaceholder } from '../answer/syntax.js'
import type { CallSyntax, ReasoningSyntax } from '../answer/syntax.js'
import { SliceTokenizer } from '../engine/slice-tokenizer.js'
import type { Vocabulary } from '../engine/vocabulary.js'
import { ControlTexts } from './content-mark.js'
import type { PromptPart } from './content-mark.js'
import { generalSyntax, withGeneralTools } from './general-tools.js'
import type { TemplateMessage, TemplateTool, TemplateToolCall, TemplateVariables } from './render-protocol.js'
import type { Renderer } from './renderer.js'
import { probeSyntax } from './syntax-probe.js'
import type { TemplateSyntax } from './syntax-probe.js'

/** The fields of a request from which the prompt is made. */
export type Conversation = Pick<ChatRequest, 'messages' | 'tools' | 'reasoningEffort'>

/** Turns conversations into tokens with the model's chat template. */
export class ChatPrompt {
  private readonly controls: ControlTexts
  private syntax: TemplateSyntax = { takesSystem: true }
  private markTokens: ReadonlySet<number> = new Set()

  /** @param contextLength maximum of tokens in prompt and answer together */
  constructor(
    private readonly renderer: Renderer,
    private readonly vocabulary: Vocabulary,
    private readonly contextLength: number,
  ) {
    this.controls = new ControlTexts(vocabulary.controls)
  }

  /** Tries the template on short conversations, and finds out how it writes calls. @throws model_invalid */
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

  /** Control tokens that mark calls or reasoning. */
  get marks(): ReadonlySet<number> {
    return this.markTokens
  }

  /** How the model writes calls of functions. */
  get calls(): CallSyntax {
    return this.syntax.calls ?? generalSyntax
  }

  /** How the model writes its reasoning; absent where it writes none. */
  get reasoning(): ReasoningSyntax | undefined {
    return this.syntax.reasoning
  }

  /** @throws invalid_request, context_exceeded, overloaded, model_unavailable; the signal's reason when aborted */
  async tokens(conversation: Conversation, requester: Requester): Promise<Uint32Array> {
    const { messages, tools = [], reasoningEffort } = this.withSupportedTools(conversation)
    this.refuseTooLong(messages)
    const mark = ControlTexts.createMark()
    const protect = (text: string) => this.controls.protect(text, mark)
    const variables = this.variables({
      messages: messages.map((message) => toTemplate(message, protect, this.syntax.argumentsAsText ?? false)),
      ...(tools.length > 0 ? { tools: tools.map((tool) => toTemplateTool(tool, protect)) } : {}),
      ...(reasoningEffort ? { reasoning_effort: reasoningEffort } : {}),
    })
    const rendered = await this.renderer.render(variables, requester)
    return this.vocabulary.withStart(await this.tokensOf(this.controls.split(rendered, mark), requester))
  }

  /** Writes tools, calls and results as text where the template does not support them. */
  private withSupportedTools({ messages, tools = [], ...rest }: Conversation): Conversation {
    return this.syntax.calls
      ? { messages, tools, ...rest }
      : { messages: [...withGeneralTools(messages, tools, this.syntax.takesSystem ? 'system' : 'user')], ...rest }
  }

  private findMarks(): ReadonlySet<number> {
    const { begin, middle, between = [], end } = this.calls
    const fixed = [begin, middle, between, end].flat().filter((part) => part !== idPlaceholder)
    const texts = [...fixed, this.reasoning?.begin ?? '', this.reasoning?.end ?? '']
    const marking = this.vocabulary.controls.filter(({ text }) => texts.some((each) => each.includes(text)))
    return new Set(marking.map(({ id }) => id))
  }

  private async tokensOf(parts: readonly PromptPart[], requester: Requester): Promise<Uint32Array> {
    const { vocabulary, contextLength: limit } = this
    const tokenizer = new SliceTokenizer({ vocabulary, limit, pacer: new Pacer(requester) })
    const tokens: number[] = []
    for (const part of parts) {
      if ('token' in part) tokens.push(part.token)
      else for (const token of await tokenizer.tokenize(part.text, tokens.length)) tokens.push(token)
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
   * Refuses a conversation that cannot fit even if it consists of the longest tokens, before the template runs. What
   * templates may leave out is not counted: white space around a text, and messages of the assistant with their
   * reasoning.
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
  function: { name: protect(name), arguments: asText ? protect(text) : protectAll(parseArguments(text), protect) },
})

/** Shortens an id to nine letters and digits, because Mistral's templates take no other ids. */
const shortId = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 9)

const toTemplateTool = ({ name, description, parameters }: FunctionTool, protect: Protect): TemplateTool => ({
  type: 'function',
  function: {
    name: protect(name),
    ...(description === undefined ? {} : { description: protect(description) }),
    parameters: protectAll(parameters ?? { type: 'object', properties: {} }, protect),
  },
})

/** Templates serialize arguments themselves. Arguments that are not JSON stay text. */
const parseArguments = (text: string): unknown => {
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
