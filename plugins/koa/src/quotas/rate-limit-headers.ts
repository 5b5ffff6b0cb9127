/** The headers with which OpenAI tells what is left of quotas per minute. */

import type { MinuteState } from './account.js'

export const rateLimitHeaders = (
  requests: MinuteState | undefined,
  tokens: MinuteState | undefined,
): Record<string, string> => {
  const headers: Record<string, string> = {}
  if (requests) {
    headers['x-ratelimit-limit-requests'] = String(requests.limit)
    headers['x-ratelimit-remaining-requests'] = String(requests.left)
    headers['x-ratelimit-reset-requests'] = formatDuration(requests.reset)
  }
  if (tokens) {
    headers['x-ratelimit-limit-tokens'] = String(tokens.limit)
    headers['x-ratelimit-remaining-tokens'] = String(tokens.left)
    headers['x-ratelimit-reset-tokens'] = formatDuration(tokens.reset)
  }
  return headers
}

/** Formats milliseconds as OpenAI does: `6ms`, `1.5s`, `6m0s`. */
export const formatDuration = (milliseconds: number): string => {
  const whole = Math.ceil(milliseconds)
  if (whole < 1000) return `${whole}ms`
  const minutes = Math.floor(whole / 60_000)
  const rest = (whole % 60_000) / 1000
  return minutes ? `${minutes}m${rest}s` : `${rest}s`
}
