/** The headers with which OpenAI tells what is left of quotas per minute. */

import type { MinuteState } from './account.js'

export const rateLimitHeaders = (
  requests: MinuteState | undefined,
  tokens: MinuteState | undefined,
): Record<string, string> => ({ ...headersOf('requests', requests), ...headersOf('tokens', tokens) })

const headersOf = (name: string, state: MinuteState | undefined): Record<string, string> =>
  state
    ? {
        [`x-ratelimit-limit-${name}`]: String(state.limit),
        [`x-ratelimit-remaining-${name}`]: String(state.left),
        [`x-ratelimit-reset-${name}`]: formatDuration(state.reset),
      }
    : {}

/** Formats milliseconds as OpenAI does: `6ms`, `1.5s`, `6m0s`. */
export const formatDuration = (milliseconds: number): string => {
  const whole = Math.ceil(milliseconds)
  if (whole < 1000) return `${whole}ms`
  const minutes = Math.floor(whole / 60_000)
  const rest = (whole % 60_000) / 1000
  return minutes ? `${minutes}m${rest}s` : `${rest}s`
}
