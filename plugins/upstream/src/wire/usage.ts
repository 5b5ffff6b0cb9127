import { isRecord } from '@sallyport/kit/json'
import type { Usage } from '@sallyport/core'
import { countOf } from './read.js'
import type { Fields } from './read.js'

const recordAt = (fields: Fields, name: string): Fields => {
  const value = fields[name]
  return isRecord(value) ? value : {}
}

/** The first value that is a count. */
const firstCount = (...values: unknown[]) => values.map(countOf).find((count) => count !== undefined)

/**
 * Token counts of a chunk, where it has them: OpenAI's `usage`, DeepSeek's `prompt_cache_hit_tokens`, Groq's
 * `x_groq.usage`, and llama-server's `timings` where the server sends no usage.
 */
export const usageOf = (chunk: Fields): Usage | undefined => {
  const usage = isRecord(chunk.usage) ? chunk.usage : recordAt(recordAt(chunk, 'x_groq'), 'usage')
  const promptTokens = countOf(usage.prompt_tokens)
  if (promptTokens === undefined) return usageOfTimings(recordAt(chunk, 'timings'))
  const cached = firstCount(recordAt(usage, 'prompt_tokens_details').cached_tokens, usage.prompt_cache_hit_tokens)
  const reasoning = firstCount(recordAt(usage, 'completion_tokens_details').reasoning_tokens)
  const completionTokens = countOf(usage.completion_tokens) ?? 0
  return {
    promptTokens,
    completionTokens,
    ...(cached === undefined ? {} : { cachedTokens: Math.min(cached, promptTokens) }),
    ...(reasoning ? { reasoningTokens: Math.min(reasoning, completionTokens) } : {}),
  }
}

const usageOfTimings = ({ prompt_n, predicted_n, cache_n }: Fields): Usage | undefined => {
  const evaluated = countOf(prompt_n)
  const completionTokens = countOf(predicted_n)
  if (evaluated === undefined || completionTokens === undefined) return undefined
  const cachedTokens = countOf(cache_n) ?? 0
  return { promptTokens: evaluated + cachedTokens, completionTokens, cachedTokens }
}
