/** What the kernel adds to chat and completion backends: tokens are counted where the backend does not say how many. */

import type { Call, Usage, TokensCapability } from '@sallyport/core'
import { promptOf } from './generation.js'
import type { GenerationChunk, GenerationRequest, GenerationStream } from './generation.js'

/** Counts with the model's own tokenizer. */
export interface UsageCounter {
  readonly tokenizer: TokensCapability
  /** Hears why a finished answer has no usage. */
  readonly onFailure: (error: unknown, call: Call) => void
}

/**
 * Counts tokens where the backend does not report usage: the prompt once, whatever the number of choices. An answer that
 * cannot be counted ends without usage.
 */
export const withUsage = <Request extends GenerationRequest, Chunk extends GenerationChunk>(
  stream: GenerationStream<Request, Chunk>,
  counter: UsageCounter | undefined,
) =>
  async function* (request: Request, call: Call): AsyncIterable<Chunk> {
    const texts = new Map<number, string>()
    let prompt: Promise<number> | undefined
    const count = async ({ tokenizer, onFailure }: UsageCounter, text: string): Promise<{ usage?: Usage }> => {
      try {
        prompt ??= countTokens(tokenizer, promptOf(request), call)
        const [promptTokens, completionTokens] = await Promise.all([prompt, countTokens(tokenizer, text, call)])
        return { usage: { promptTokens, completionTokens } }
      } catch (error) {
        call.signal.throwIfAborted()
        onFailure(error, call)
        return {}
      }
    }
    for await (const chunk of stream(request, call)) {
      const { choice = 0 } = chunk
      if (counter && 'finish' in chunk && !chunk.usage) {
        yield { ...chunk, ...(await count(counter, texts.get(choice) ?? '')) }
        continue
      }
      if (counter) texts.set(choice, (texts.get(choice) ?? '') + said(chunk))
      yield chunk
    }
  }

const countTokens = async (tokenizer: TokensCapability, text: string, call: Call): Promise<number> =>
  (await tokenizer.tokenize({ text }, call)).tokens.length

const said = (chunk: GenerationChunk): string => {
  if ('delta' in chunk) return chunk.delta
  if ('reasoning' in chunk) return chunk.reasoning
  return 'toolCall' in chunk ? (chunk.toolCall.name ?? '') + chunk.toolCall.arguments : ''
}
