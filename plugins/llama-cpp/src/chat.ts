import { createHash } from 'node:crypto'
import { failure } from '@sallyport/core'
import type { Call, ChatCapability, ChatChunk, ChatRequest, Logger, ModelFeatures } from '@sallyport/core'
import { RecentlyUsed } from '@sallyport/kit/lists'
import { answerGrammar } from './answer/answer-grammar.js'
import type { AnswerRules } from './answer/answer-grammar.js'
import { AnswerParser } from './answer/answer-parser.js'
import { callRules } from './answer/call-rules.js'
import type { Engine } from './engine/engine.js'
import { generate } from './generate.js'
import type { Bounds, GeneratedChunk } from './generate.js'
import type { Grammar } from './grammar/index.js'
import type { ChatPrompt } from './template/chat-prompt.js'

/** Characters of grammars that are kept for further requests, with their keys. */
const maxGrammarCharacters = 4_000_000

/** Conversations, put into the model's form by its own template. */
export class LlamaCppChat implements ChatCapability {
  private readonly grammars = new RecentlyUsed<Grammar | undefined>(
    maxGrammarCharacters,
    (grammar, key) => key.length + (grammar?.gbnf.length ?? 0),
  )

  constructor(
    private readonly engine: Engine,
    private readonly prompt: ChatPrompt,
    private readonly logger: Logger,
  ) {}

  get features(): ModelFeatures {
    return { tools: true, reasoning: this.prompt.thoughts !== undefined }
  }

  async *stream(request: ChatRequest, call: Call): AsyncGenerator<ChatChunk> {
    refusePictures(request)
    const { thoughts, calls: syntax, marks } = this.prompt
    const { responseFormat: format } = request
    const calls = callRules(request, syntax)
    const rules = { calls, thoughts, format: format?.type === 'text' ? undefined : format }
    const grammar = this.grammarOf(rules, call)
    const parser = calls || thoughts ? new AnswerParser(rules) : undefined
    const bounds: Bounds = {
      ...(grammar ? { grammar: grammar.gbnf } : {}),
      ...(parser ? { visibleControls: marks, isOver: () => parser.isOver } : {}),
    }
    const prompt = await this.prompt.tokens({ ...request, tools: [...(calls?.tools ?? [])] }, call)
    const answer = generate(this.engine, prompt, request, call, bounds)
    yield* parser ? this.parsed(answer, parser) : answer
  }

  private grammarOf(rules: AnswerRules, { requestId }: Call): Grammar | undefined {
    const key = createHash('sha256').update(JSON.stringify(rules)).digest('base64')
    const grammar = this.grammars.getOrMake(key, () => answerGrammar(rules))
    if (grammar?.unheld.length)
      this.logger.debug({ requestId, keywords: grammar.unheld }, 'keywords that no grammar holds')
    return grammar
  }

  private async *parsed(answer: AsyncIterable<GeneratedChunk>, parser: AnswerParser): AsyncGenerator<ChatChunk> {
    let thoughts = ''
    for await (const chunk of answer) {
      const chunks = 'finish' in chunk ? parser.end() : parser.push(chunk.delta, chunk.logprobs)
      for (const chunk of chunks) {
        if ('reasoning' in chunk) thoughts += chunk.reasoning
        yield chunk
      }
      if ('finish' in chunk) yield finished(chunk, parser.hasWholeCalls, thoughts === '' ? 0 : this.count(thoughts))
    }
  }

  private count(text: string): number {
    return this.engine.vocabulary.tokenize(text).length
  }
}

type End = Extract<GeneratedChunk, { finish: unknown }>

const finished = ({ finish, usage, ...rest }: End, hasWholeCalls: boolean, reasoningTokens: number): End => ({
  ...rest,
  finish: hasWholeCalls && finish === 'stop' ? 'tool_calls' : finish,
  ...(usage ? { usage: { ...usage, ...(reasoningTokens > 0 ? { reasoningTokens } : {}) } } : {}),
})

const refusePictures = ({ messages }: ChatRequest): void => {
  messages.forEach(({ content }, index) => {
    if (typeof content !== 'string' && content.some(({ type }) => type === 'image')) {
      throw failure('unsupported', { field: `messages[${index}].content`, problem: 'this model does not take images' })
    }
  })
}
