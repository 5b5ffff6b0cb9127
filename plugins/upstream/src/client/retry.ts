import { systemCode } from '@sallyport/core'
import type { UpstreamOptions } from '../options.js'
import { isOutOfQuota } from './explain.js'
import { Refusal } from './refusal.js'

const retryableStatuses: readonly number[] = [429, 502, 503, 504]

/** No connection came about. */
const unreachableCodes: readonly string[] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  'UND_ERR_CONNECT_TIMEOUT',
]
/** A connection broke off. */
const brokenCodes: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

export const isUnreachable = (error: unknown): boolean => unreachableCodes.includes(systemCode(error) ?? '')

const isPassing = (error: unknown): boolean =>
  error instanceof Refusal
    ? retryableStatuses.includes(error.details.status) && !isOutOfQuota(error)
    : isUnreachable(error) || brokenCodes.includes(systemCode(error) ?? '')

/**
 * Seconds to wait before another try, or undefined where none makes sense: the error is not a passing one, the tries
 * are used up, or the wait would be too long.
 * @param attempt how many retries there have been
 * @param deadline milliseconds since the epoch
 */
export const retryDelay = (
  error: unknown,
  attempt: number,
  { count, delay, longest }: UpstreamOptions['retries'],
  deadline: number,
): number | undefined => {
  if (attempt >= count || !isPassing(error)) return undefined
  const requested = error instanceof Refusal ? error.details.retryAfter : undefined
  const backOff = Math.min(longest, delay * 2 ** attempt) * (0.5 + Math.random() / 2)
  const wait = Math.max(requested ?? 0, backOff)
  return wait > longest || Date.now() + wait * 1000 >= deadline ? undefined : wait
}

/** `retry-after-ms` or `Retry-After` (seconds or a date), in seconds from now. */
export const retryAfterOf = (header: (name: string) => string | undefined, now = Date.now()): number | undefined => {
  const milliseconds = seconds(header('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds / 1000
  const text = header('retry-after')
  const given = seconds(text)
  if (given !== undefined || text === undefined) return given
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000)
}

const seconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
