import { systemCode } from '@sallyport/core'
import type { UpstreamOptions } from '../options.js'
import { isOutOfQuota } from './refusal-errors.js'
import { Refusal } from './refusal.js'

const retryableStatuses: readonly number[] = [429, 502, 503, 504]

/** The connection could not be opened. */
const unreachableCodes: readonly string[] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
  'UND_ERR_CONNECT_TIMEOUT',
]
/** An open connection was lost. */
const brokenCodes: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

export const isUnreachable = (error: unknown): boolean => unreachableCodes.includes(systemCode(error) ?? '')

const isTransient = (error: unknown): boolean =>
  error instanceof Refusal
    ? retryableStatuses.includes(error.details.status) && !isOutOfQuota(error)
    : isUnreachable(error) || brokenCodes.includes(systemCode(error) ?? '')

/**
 * Seconds to wait before another try, or undefined where none makes sense: the error is not transient, the retries are
 * used up, or the wait would be too long.
 * @param retries how many there have been
 * @param deadline milliseconds since the epoch
 */
export const retryDelay = (
  error: unknown,
  retries: number,
  { count, delay, longest }: UpstreamOptions['retries'],
  deadline: number,
): number | undefined => {
  if (retries >= count || !isTransient(error)) return undefined
  const requested = error instanceof Refusal ? error.details.retryAfter : undefined
  const backOff = Math.min(longest, delay * 2 ** retries) * (0.5 + Math.random() / 2)
  const wait = Math.max(requested ?? 0, backOff)
  return wait > longest || Date.now() + wait * 1000 >= deadline ? undefined : wait
}

/** `retry-after-ms` or `Retry-After` (seconds or a date), in seconds from now. */
export const retryAfterOf = (header: (name: string) => string | undefined, now = Date.now()): number | undefined => {
  const milliseconds = seconds(header('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds / 1000
  const text = header('retry-after')
  const delay = seconds(text)
  if (delay !== undefined || text === undefined) return delay
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, (date - now) / 1000)
}

const seconds = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}(?:\.\d+)?$/.test(text.trim()) ? Number(text) : undefined
