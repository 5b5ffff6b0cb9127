import { countCodePoints } from '@sallyport/kit/text'
import type { TokenLogprob } from '@sallyport/core'

const bytesOf = (token: string, bytes: readonly number[] | undefined) => bytes ?? [...Buffer.from(token)]

/** Log-probabilities of chat: one object per token. */
export const chatLogprobs = (tokens: readonly TokenLogprob[]): object => ({
  content: tokens.map(({ token, logprob, bytes, top }) => ({
    token,
    logprob,
    bytes: bytesOf(token, bytes),
    top_logprobs: (top ?? []).map((alternative) => ({
      token: alternative.token,
      logprob: alternative.logprob,
      bytes: bytesOf(alternative.token, alternative.bytes),
    })),
  })),
})

/** Log-probabilities of completions: parallel lists; offsets are characters of the text from `start` on. */
export const completionLogprobs = (tokens: readonly TokenLogprob[], start: number): object => {
  let offset = start
  const offsets = tokens.map(({ token }) => {
    const before = offset
    offset += countCodePoints(token)
    return before
  })
  return {
    tokens: tokens.map(({ token }) => token),
    token_logprobs: tokens.map(({ logprob }) => logprob),
    top_logprobs: tokens.map(({ top }) =>
      Object.fromEntries((top ?? []).map(({ token, logprob }) => [token, logprob])),
    ),
    text_offset: offsets,
  }
}
