import { isRecord } from '@sallyport/core'
import type { TokenLogprob } from '@sallyport/core'
import { listOf } from './read.js'
import type { Fields } from './read.js'

/**
 * Log-probabilities of a chunk: the form of chat (`content`), or the older one of completions (`tokens`,
 * `token_logprobs`, `top_logprobs`). Undefined where there are none.
 */
export const logprobsOf = (value: unknown, alternatives: number): TokenLogprob[] | undefined => {
  if (!isRecord(value)) return undefined
  const tokens = 'tokens' in value ? columns(value) : listOf(value.content, 'logprobs.content').map(row)
  const known = tokens.filter((token) => token !== undefined)
  return known.length ? known.map((token) => limited(token, alternatives)) : undefined
}

const limited = ({ top, ...token }: TokenLogprob, alternatives: number): TokenLogprob => {
  const best = [...(top ?? [])].sort((a, b) => b.logprob - a.logprob).slice(0, alternatives)
  return best.length ? { ...token, top: best } : token
}

const row = (value: unknown): TokenLogprob | undefined => {
  if (!isRecord(value)) return undefined
  const token = single(value.token, value.logprob, value.bytes)
  if (!token) return undefined
  const top = listOf(value.top_logprobs, 'logprobs.top_logprobs')
    .map((entry) => (isRecord(entry) ? single(entry.token, entry.logprob, entry.bytes) : undefined))
    .filter((entry) => entry !== undefined)
  return top.length ? { ...token, top } : token
}

const columns = ({ tokens, token_logprobs, top_logprobs }: Fields): (TokenLogprob | undefined)[] => {
  const logprobs = listOf(token_logprobs, 'logprobs.token_logprobs')
  const tops = listOf(top_logprobs, 'logprobs.top_logprobs')
  return listOf(tokens, 'logprobs.tokens').map((name, index) => {
    const token = single(name, logprobs[index], undefined)
    const top = tops[index]
    if (!token || !isRecord(top)) return token
    const entries = Object.entries(top).map(([other, logprob]) => single(other, logprob, undefined))
    return { ...token, top: entries.filter((entry) => entry !== undefined) }
  })
}

/** Rounding puts the logarithm of 1 a hair above 0 at times. */
const single = (token: unknown, logprob: unknown, bytes: unknown): Omit<TokenLogprob, 'top'> | undefined =>
  typeof token === 'string' && typeof logprob === 'number'
    ? { token, logprob: Math.min(logprob, 0), ...(isBytes(bytes) ? { bytes } : {}) }
    : undefined

const isBytes = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
