import { silentLogger } from '@sallyport/core'
import type { NativeContext } from '../../src/engine/native-context.js'
import { Engine } from '../../src/engine/engine.js'
import type { EngineOptions } from '../../src/engine/engine.js'
import type { GenerationEnd, GenerationChunk, GenerationRequest } from '../../src/engine/generation.js'
import type { LlamaCppOptions } from '../../src/options.js'
import type { TextChunk } from '../../src/engine/text-assembler.js'

export const sampling = { temperature: 0.8, topP: 0.95, topK: 40, minP: 0.05 }

/** Of a backend that is made without a kernel. */
export const loadOptions: LlamaCppOptions = {
  parallel: 2,
  queue: 64,
  threads: 1,
  sliceMilliseconds: 80,
  dimensions: [],
  prefixes: { query: '', document: '' },
  sampling,
}

export const loadEngine = (path: string, options: Partial<EngineOptions> = {}): Promise<Engine> =>
  Engine.load({
    id: 'parrot',
    path,
    parallel: 2,
    queue: 2,
    threads: 1,
    sliceMilliseconds: 50,
    sampling,
    logger: silentLogger,
    ...options,
  })

/** Tokens of each evaluation of a model that generates; `before` is called ahead of it, with its own as the last. */
export const watchEvaluations = (engine: Engine, before: (sizes: readonly number[]) => void): readonly number[] => {
  const { context } = (engine as unknown as { readonly generator: { readonly context: NativeContext } }).generator
  const evaluate = context.evaluate.bind(context)
  const sizes: number[] = []
  context.evaluate = (entries) => {
    sizes.push(entries.reduce((sum, { tokens }) => sum + tokens.length, 0))
    before(sizes)
    return evaluate(entries)
  }
  return sizes
}

export interface Answer {
  text: string
  chunks: string[]
  logprobs: TextChunk['logprobs'][number][]
  end: GenerationEnd | undefined
}

export type Question = Partial<Omit<GenerationRequest, 'prompt'>> & { readonly prompt?: string | Uint32Array }

/** Greedy unless the question says otherwise. */
export const stream = (
  engine: Engine,
  question: Question = {},
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<GenerationChunk> => {
  const { prompt = 'say:', ...rest } = question
  const tokens = typeof prompt === 'string' ? engine.vocabulary.tokenize(prompt) : prompt
  return engine.generate({ sampling: { temperature: 0 }, stop: [], tenant: 'tests', ...rest, prompt: tokens }, signal)
}

export const answerOf = async (engine: Engine, question: Question = {}, signal?: AbortSignal): Promise<Answer> => {
  const answer: Answer = { text: '', chunks: [], logprobs: [], end: undefined }
  for await (const chunk of stream(engine, question, signal)) {
    if ('finish' in chunk) answer.end = chunk
    else {
      answer.text += chunk.text
      answer.chunks.push(chunk.text)
      answer.logprobs.push(...chunk.logprobs)
    }
  }
  return answer
}
