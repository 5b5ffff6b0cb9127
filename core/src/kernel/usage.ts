/** What the kernel adds to chat and completion backends: tokens are counted where the backend does not say how many. */

import type { Call, Usage } from '../capabilities/call.js'
import type { TokensCapability } from '../capabilities/tokens.js'
import { failure, loggable } from '../errors/index.js'
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
      refuseUnknown(chunk, call)
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

/** What a chunk may have beside the key that says what it is, and its `choice`. */
const keysBeside = { delta: ['logprobs'], reasoning: [], toolCall: [], finish: ['usage', 'stopText'] } as const
const chunkKinds = Object.keys(keysBeside) as (keyof typeof keysBeside)[]

/** A misspelt key would lose the model's words without a trace, and of a chunk that says two things one would be unchecked. */
const refuseUnknown = (chunk: object, { requestId }: Call): void => {
  const keys = Object.keys(chunk)
  const isOf = (kind: keyof typeof keysBeside): boolean => {
    const allowed: readonly string[] = [kind, 'choice', ...keysBeside[kind]]
    return kind in chunk && keys.every((key) => allowed.includes(key))
  }
  if (chunkKinds.some(isOf)) return
  const problem = `the backend yielded a chunk with the keys ${keys.join(', ') || '(none)'}`
  const one = `it must have one of ${chunkKinds.join(', ')}, logprobs beside delta alone, usage and stopText beside finish`
  const cause = loggable(new TypeError(`${problem}; ${one}`))
  throw failure('invalid_backend_result', { requestId }, { cause })
}
