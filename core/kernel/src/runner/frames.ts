/** Validates frames that arrived: the other side may be of another version, or its memory may be damaged. */

import { isRecord } from '@sallyport/kit/json'
import { failure, fromErrorData } from '@sallyport/core'
import type { ErrorData, SallyportError } from '@sallyport/core'
import type { RequestFrame, ResponseFrame } from './protocol.js'

const isId = (value: unknown): value is number => Number.isSafeInteger(value)
const isCount = (value: unknown): value is number => isId(value) && value >= 0
const isOptionalOf = (value: unknown, type: 'number' | 'string') => value === undefined || typeof value === type

/** The id of a call frame that is otherwise wrong, so that the call can be refused. */
export const frameId = (frame: unknown): number | undefined =>
  isRecord(frame) && frame.type === 'call' && isId(frame.id) ? frame.id : undefined

export const isRequestFrame = (frame: unknown): frame is RequestFrame => {
  if (!isRecord(frame)) return false
  switch (frame.type) {
    case 'call':
      return (
        isId(frame.id) &&
        typeof frame.method === 'string' &&
        isCount(frame.credit) &&
        isOptionalOf(frame.timeout, 'number') &&
        isOptionalOf(frame.requestId, 'string') &&
        isOptionalOf(frame.tenant, 'string')
      )
    case 'cancel':
      return isId(frame.id)
    case 'credit':
      return isId(frame.id) && isCount(frame.chunks)
    default:
      return frame.type === 'ping'
  }
}

const logLevels: ReadonlySet<unknown> = new Set(['debug', 'info', 'warn', 'error'])

export const isResponseFrame = (frame: unknown): frame is ResponseFrame => {
  if (!isRecord(frame)) return false
  switch (frame.type) {
    case 'chunk':
      return isId(frame.id) && Array.isArray(frame.payloads)
    case 'end':
      return isId(frame.id)
    case 'error':
      return isId(frame.id) && isRecord(frame.error)
    case 'log':
      return logLevels.has(frame.level) && isRecord(frame.fields) && typeof frame.message === 'string'
    default:
      return frame.type === 'heartbeat'
  }
}

/** The error that arrived; `internal` where this version does not know its code or details. */
export const receiveError = (data: ErrorData): SallyportError => {
  try {
    return fromErrorData(data)
  } catch {
    return failure('internal', {})
  }
}
