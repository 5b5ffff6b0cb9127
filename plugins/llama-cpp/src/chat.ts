import { createHash } from 'node:crypto'
import { failure } from '@sallyport/core'
import type { Call, ChatCapability, ChatChunk, ChatRequest, Logger, ModelFeatures } from '@sallyport/core'
import { LruCache } from '@sallyport/kit/lists'
import { answerGrammar } from './answer/answer-grammar.js'
import type { AnswerRules } from './answer/answer-grammar.js'
import { AnswerParser } from './answer/answer-parser.js'
import { callRules } from './answer/call-rules.js'
import type { Engine } from './engine/engine.js'
import { generate } from './generate.js'
import type { GenerationConstraints, GeneratedChunk } from './generate.js'
import type { Grammar } from './grammar/index.js'
import type { ChatPrompt } from './template/chat-prompt.js'

/** The size of the cache of grammars, in characters of grammars and keys. */
const maxGrammarCharacters = 4_000_000

/** Continues conversations, which the chat template of the model turns into prompts. */
export class LlamaCppChat implements ChatCapability {
  private readonly grammars = new LruCache<Grammar | undefined>(
    maxGrammarCharacters,
    (grammar, key) => key.length + (grammar?.gbnf.length ?? 0),
  )

  constructor(
    private readonly engine: Engine,
    private readonly prompt: ChatPrompt,
    private readonly logger: Logger,
  ) {}

  get features(): ModelFeatures {
    return { tools: true, reasoning: this.prompt.reasoning !== undefined }
  }

  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    refuseImages(request)
    const { callSyntax, reasoning, marks } = this.prompt
    const { responseFormat: format } = request
    const calls = callRules(request, callSyntax)
    const rules = { calls, reasoning, format: format?.type === 'text' ? undefined : format }
    const grammar = this.grammarOf(rules, call)
    const parser = calls || reasoning ? new AnswerParser(rules) : undefined
    const constraints: GenerationConstraints = {
      ...(grammar ? { grammar: grammar.gbnf } : {}),
      ...(parser ? { visibleControls: marks, isOver: () => parser.isOver } : {}),
    }
    const prompt = await this.prompt.tokens({ ...request, tools: [...(calls?.tools ?? [])] }, call)
    const answer = generate(this.engine, prompt, request, call, constraints)
    yield* parser ? this.parsed(answer, parser) : answer
  }

  private grammarOf(rules: AnswerRules, { requestId }: Call): Grammar | undefined {
    const key = createHash('sha256').update(JSON.stringify(rules)).digest('base64')
    const grammar = this.grammars.getOrMake(key, () => answerGrammar(rules))
    if (grammar?.unenforced.length)
      this.logger.debug({ requestId, keywords: grammar.unenforced }, 'the grammar does not enforce these keywords')
    return grammar
  }

  private async *parsed(answer: AsyncIterable<GeneratedChunk>, parser: AnswerParser): AsyncGenerator<ChatChunk> {
    let reasoning = ''
    for await (const chunk of answer) {
      for (const part of 'finish' in chunk ? parser.end() : parser.push(chunk.delta, chunk.logprobs)) {
        if ('reasoning' in part) reasoning += part.reasoning
        yield part
      }
      if (!('finish' in chunk)) continue
      const reasoningTokens = reasoning === '' ? 0 : this.engine.vocabulary.tokenize(reasoning).length
      yield withCallsAndUsage(chunk, parser.hasWholeCalls, reasoningTokens)
    }
  }
}

type End = Extract<GeneratedChunk, { finish: unknown }>

const withCallsAndUsage = ({ finish, usage, ...rest }: End, hasWholeCalls: boolean, reasoningTokens: number): End => ({
  ...rest,
  finish: hasWholeCalls && finish === 'stop' ? 'tool_calls' : finish,
  ...(usage ? { usage: { ...usage, ...(reasoningTokens > 0 ? { reasoningTokens } : {}) } } : {}),
})

const refuseImages = ({ messages }: ChatRequest): void => {
  messages.forEach(({ content }, index) => {
    if (typeof content !== 'string' && content.some(({ type }) => type === 'image'))
      throw failure('unsupported', { field: `messages[${index}].content`, problem: 'this model does not take images' })
  })
}
