import { createHash } from 'node:crypto'
import { failure } from '@sallyport/core'
import type { ChatMessage, ChatRequest, FunctionTool, ToolCall } from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import type { Requester } from '@sallyport/kit/async'
import { textOf } from '@sallyport/kit/generation'
import { append } from '@sallyport/kit/lists'
import { idPlaceholder } from '../answer/syntax.js'
import type { CallSyntax, ReasoningSyntax } from '../answer/syntax.js'
import { SliceTokenizer } from '../engine/slice-tokenizer.js'
import type { Vocabulary } from '../engine/vocabulary.js'
import { ControlTexts } from './control-texts.js'
import type { PromptPart } from './control-texts.js'
import { generalSyntax, withGeneralTools } from './general-tools.js'
import type { TemplateMessage, TemplateTool, TemplateToolCall, TemplateVariables } from './render-protocol.js'
import type { Renderer } from './renderer.js'
import { probeSyntax } from './syntax-probe.js'
import type { TemplateSyntax } from './syntax-probe.js'

/** The fields of a request from which the prompt is made. */
export type Conversation = Pick<ChatRequest, 'messages' | 'tools' | 'reasoningEffort'>

/** Turns conversations into tokens with the model's chat template. */
export class ChatPrompt {
  /** Control tokens that mark calls or reasoning. */
  marks: ReadonlySet<number> = new Set()
  private readonly controls: ControlTexts
  private syntax: TemplateSyntax = { takesSystem: true }

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
    const endTokens = this.vocabulary.controls.filter(({ id }) => this.vocabulary.endsGeneration(id))
    const endings = endTokens.map(({ text }) => text)
    const render = (variables: Partial<TemplateVariables>) =>
      this.renderer.attempt(this.variables({ messages: [], add_generation_prompt: false, ...variables }))
    this.syntax = await probeSyntax(render, template, endings)
    this.marks = this.findMarks()
  }

  /** How the model writes calls of functions. */
  get callSyntax(): CallSyntax {
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
    const sentinel = ControlTexts.createSentinel()
    const protect = (text: string) => this.controls.protect(text, sentinel)
    const variables = this.variables({
      messages: messages.map((message) => toTemplate(message, protect, this.syntax.stringArguments ?? false)),
      ...(tools.length > 0 ? { tools: tools.map((tool) => toTemplateTool(tool, protect)) } : {}),
      ...(reasoningEffort ? { reasoning_effort: reasoningEffort } : {}),
    })
    const rendered = await this.renderer.render(variables, requester)
    return this.vocabulary.withStart(await this.tokensOf(this.controls.split(rendered, sentinel), requester))
  }

  /** Writes tools, calls and results as text where the template does not support them. */
  private withSupportedTools({ messages, tools = [], ...rest }: Conversation): Conversation {
    return this.syntax.calls
      ? { messages, tools, ...rest }
      : { messages: [...withGeneralTools(messages, tools, this.syntax.takesSystem ? 'system' : 'user')], ...rest }
  }

  private findMarks(): ReadonlySet<number> {
    const { begin, middle, between = [], end } = this.callSyntax
    const reasoning = this.reasoning ? [this.reasoning.begin, this.reasoning.end] : []
    const texts = [begin, middle, between, end, reasoning].flat().filter((part) => part !== idPlaceholder)
    const marks = this.vocabulary.controls.filter(({ text }) => texts.some((each) => each.includes(text)))
    return new Set(marks.map(({ id }) => id))
  }

  private async tokensOf(parts: readonly PromptPart[], requester: Requester): Promise<Uint32Array> {
    const { vocabulary, contextLength: limit } = this
    const tokenizer = new SliceTokenizer({ vocabulary, limit, pacer: new Pacer(requester) })
    const tokens: number[] = []
    for (const part of parts) {
      if ('token' in part) tokens.push(part.token)
      else append(tokens, await tokenizer.tokenize(part.text, tokens.length))
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
    const limit = this.contextLength
    const texts = messages.filter(({ role }) => role !== 'assistant').map((message) => textOf(message).trim())
    const length = texts.reduce((sum, text) => sum + text.length, 0)
    if (length <= limit) return
    const tokens = Math.ceil(length / this.vocabulary.maxTokenLength)
    if (tokens > limit) throw failure('context_exceeded', { tokens, limit, atLeast: true })
  }
}

const message = (role: 'system' | 'user'): TemplateMessage => ({ role, content: 'Hello' })

type Protect = (text: string) => string

const toTemplate = (message: ChatMessage, protect: Protect, stringArguments: boolean): TemplateMessage => ({
  role: message.role,
  content: protect(textOf(message)),
  ...(message.reasoning === undefined ? {} : { reasoning_content: protect(message.reasoning) }),
  ...(message.toolCallId === undefined ? {} : { tool_call_id: shortId(message.toolCallId) }),
  ...(message.toolCalls?.length
    ? { tool_calls: message.toolCalls.map((call) => toTemplateCall(call, protect, stringArguments)) }
    : {}),
})

const toTemplateCall = (call: ToolCall, protect: Protect, stringArguments: boolean): TemplateToolCall => ({
  type: 'function',
  id: shortId(call.id),
  function: {
    name: protect(call.name),
    arguments: stringArguments ? protect(call.arguments) : protectAll(parseArguments(call.arguments), protect),
  },
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

/** Templates serialize arguments themselves. Arguments that are not JSON stay a string. */
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
