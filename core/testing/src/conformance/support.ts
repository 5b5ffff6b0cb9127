/** Calls and assertions that the cases, and tests of plugins, share. */

import assert from 'node:assert/strict'
import { isSallyportError } from '@sallyport/core'
import type { Call, ErrorCode, SallyportError } from '@sallyport/core'
import type { ModelFacts } from './facts.js'

/** A call that is not cancelled, with a deadline in an hour: the test framework limits its time. */
export const testCall = (overrides: Partial<Call> = {}): Call => ({
  signal: new AbortController().signal,
  deadline: Date.now() + 3_600_000,
  requestId: 'conformance',
  tenant: 'conformance',
  ...overrides,
})

/** Why the cases abort a call. */
export const abortReason = new Error('aborted by the conformance kit')

/** A call that has been aborted. */
export const abortedCall = (): Call => testCall({ signal: AbortSignal.abort(abortReason) })

/** Returns the value. @throws AssertionError if it is undefined */
export const assertPresent = <Value>(value: Value | undefined, what: string): Value =>
  value ?? assert.fail(`${what} is missing`)

/** The code points of a text. */
export const codePoints = (text: string): string[] => Array.from(text)

/** All chunks of a stream. */
export const collectChunks = async <Chunk>(stream: AsyncIterable<Chunk>): Promise<Chunk[]> => {
  const chunks: Chunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

export type Outcome<Value> = { value: Value } | { error: unknown } | { pending: true }

/** How a promise settles within the milliseconds. Never rejects. */
export const outcomeWithin = async <Value>(promise: Promise<Value>, milliseconds: number): Promise<Outcome<Value>> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Outcome<Value>>((resolve) => {
    timer = setTimeout(() => resolve({ pending: true }), milliseconds)
  })
  const settled = promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}

/** Milliseconds that an aborted call has to end. */
export const abortLimit = ({ abortWithin = 1000 }: ModelFacts): number => abortWithin

/** Asserts that an error is one of the table with one of the codes. */
const assertFailure = (error: unknown, codes: readonly ErrorCode[]): SallyportError => {
  if (!isSallyportError(error))
    assert.fail(`expected an error of the table (${codes.join(', ')}), got ${String(error)}`)
  assert.ok(codes.includes(error.code), `expected ${codes.join(' or ')}, got ${error.code}: ${error.message}`)
  return error
}

/** Asserts that a promise rejects with an error of the table with one of the codes. */
export const rejectsWith = async (promise: Promise<unknown>, ...codes: ErrorCode[]): Promise<SallyportError> => {
  const error: unknown = await promise.then(
    () => assert.fail(`expected ${codes.join(' or ')}, but the request was answered`),
    (reason: unknown) => reason,
  )
  return assertFailure(error, codes)
}

/** The value, or undefined where the promise rejects with one of the codes, which are allowed. */
export const valueUnless = async <Value>(
  promise: Promise<Value>,
  ...codes: ErrorCode[]
): Promise<Value | undefined> => {
  try {
    return await promise
  } catch (error) {
    assertFailure(error, codes)
    return undefined
  }
}

const loneSurrogate = /\p{Surrogate}/u

/** Asserts that no surrogate stands alone. */
export const assertWellFormed = (text: string): void =>
  assert.ok(!loneSurrogate.test(text), `a surrogate stands alone in ${JSON.stringify(text)}`)

/** Asserts that a half-open span is not empty and lies within a text of that length. */
export const assertSpan = ({ start, end }: { start: number; end: number }, length: number): void =>
  assert.ok(
    Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start < end && end <= length,
    `the span ${start}..${end} is not within 0..${length}`,
  )
