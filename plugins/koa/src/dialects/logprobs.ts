import { countCodePoints } from '@sallyport/kit/text'
import type { TokenLogprob } from '@sallyport/core'

const wireToken = ({ token, logprob, bytes = [...Buffer.from(token)] }: TokenLogprob) => ({ token, logprob, bytes })

/** Log-probabilities of chat: one object per token. */
export const chatLogprobs = (tokens: readonly TokenLogprob[]): object => ({
  content: tokens.map((token) => ({ ...wireToken(token), top_logprobs: (token.top ?? []).map(wireToken) })),
})

/** Log-probabilities of completions: parallel lists; offsets are code points of the text, counted from `start`. */
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
