/** What holds for every method that streams. */

import assert from 'node:assert/strict'
import { failure } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { steadinessCases } from './steadiness.js'
import { abortedCall, abortLimit, collectPieces, outcomeWithin, testCall, within } from './support.js'

export interface Streaming<Request, Piece> {
  stream(request: Request, call: Call): AsyncIterable<Piece>
}

/** How the shared cases use a capability. */
export interface StreamSubject<Request, Piece> {
  /** Two requests with different answers of at least three pieces, the same whenever they are asked. */
  readonly request: (facts: ModelFacts, which: 0 | 1) => Request | Promise<Request>
  /** What must be equal when the same is asked again, however it was cut into pieces. */
  readonly summary: (pieces: Piece[]) => unknown
}

const answerLimit = 60_000
const reason = new Error('aborted by the conformance kit')

type Cases<Request, Piece> = ConformanceCase<Streaming<Request, Piece>>[]

export const streamCases = <Request, Piece>(subject: StreamSubject<Request, Piece>): Cases<Request, Piece> => [
  ...endingCases(subject),
  ...steadinessCases<Streaming<Request, Piece>, Request, unknown>({
    many: 'streams',
    request: subject.request,
    answer: (service, asked) => answerOf(service, asked, subject.summary),
    fail: (service, asked, facts) =>
      outcomeWithin(readToEnd(service.stream(asked, abortedCall().call)), abortLimit(facts)),
    assertSame: assert.deepEqual,
  }),
]

/** How streams end early. */
const endingCases = <Request, Piece>({ request, summary }: StreamSubject<Request, Piece>): Cases<Request, Piece> => [
  {
    name: 'a signal that is aborted beforehand ends the stream before its first piece',
    async run(service, facts) {
      const { call, reason: why } = abortedCall()
      const outcome = await outcomeWithin(readToEnd(service.stream(await request(facts, 0), call)), abortLimit(facts))
      assertEndedWith(outcome, why, 0)
    },
  },
  {
    name: 'an abort in mid-stream ends it within one piece, with the signal’s reason',
    async run(service, facts) {
      const controller = new AbortController()
      const iterator = start(service, await request(facts, 0), testCall({ signal: controller.signal }))
      await firstPiece(iterator)
      controller.abort(reason)
      assertEndedWith(await outcomeWithin(readToEnd(iterator), abortLimit(facts)), reason, 1)
    },
  },
  {
    name: 'an abort while the first piece is awaited ends the stream',
    async run(service, facts) {
      const controller = new AbortController()
      const stream = service.stream(await request(facts, 0), testCall({ signal: controller.signal }))
      const reading = readToEnd(stream)
      controller.abort(reason)
      assertEndedWith(await outcomeWithin(reading, abortLimit(facts)), reason, 1)
    },
  },
  {
    name: 'a deadline that passes while the consumer is slow ends the stream',
    async run(service, facts) {
      const controller = new AbortController()
      const late = failure('deadline_exceeded', {})
      const iterator = start(service, await request(facts, 0), testCall({ signal: controller.signal }))
      await firstPiece(iterator)
      await new Promise((resolve) => setTimeout(resolve, 30))
      controller.abort(late)
      assertEndedWith(await outcomeWithin(readToEnd(iterator), abortLimit(facts)), late, 1)
    },
  },
  {
    name: 'a consumer that stops early frees the model',
    async run(service, facts) {
      const asked = await request(facts, 0)
      for (let round = 0; round < 10; round++) {
        const iterator = start(service, asked, testCall())
        await firstPiece(iterator)
        await within(Promise.resolve(iterator.return?.()), answerLimit, 'the stream after its consumer had stopped')
      }
      await answerOf(service, asked, summary)
    },
  },
]

const answerOf = async <Request, Piece>(
  service: Streaming<Request, Piece>,
  asked: Request,
  summary: (pieces: Piece[]) => unknown,
) => summary(await within(collectPieces(service.stream(asked, testCall())), answerLimit, 'the stream'))

const start = <Request, Piece>(service: Streaming<Request, Piece>, request: Request, call: Call) =>
  service.stream(request, call)[Symbol.asyncIterator]()

const firstPiece = async (iterator: AsyncIterator<unknown>): Promise<void> => {
  const first = await within(iterator.next(), answerLimit, 'the first piece')
  assert.ok(!first.done, 'the stream ended before its first piece')
}

interface Reading {
  pieces: number
  error?: unknown
}

/** Reads to the end, and reports the error instead of throwing it. */
const readToEnd = async (source: AsyncIterable<unknown> | AsyncIterator<unknown>): Promise<Reading> => {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source
  const reading: Reading = { pieces: 0 }
  try {
    while (!(await iterator.next()).done) reading.pieces += 1
  } catch (error) {
    reading.error = error
  }
  return reading
}

const assertEndedWith = (outcome: Awaited<ReturnType<typeof outcomeWithin<Reading>>>, why: Error, pieces: number) => {
  if (!('value' in outcome)) assert.fail('the stream did not end in time after the abort')
  const { value } = outcome
  assert.ok(value.pieces <= pieces, `${value.pieces} pieces came after the abort`)
  assert.ok(value.error !== undefined, 'the stream ended as if nothing had happened')
  assert.equal(value.error, why, 'the stream did not reject with the signal’s reason')
}
