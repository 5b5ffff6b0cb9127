/** Cases for every method that streams. */

import assert from 'node:assert/strict'
import { failure } from '@sallyport/core'
import type { Call } from '@sallyport/core'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { repeatabilityCases } from './repeatability.js'
import { abortedCall, abortLimit, abortReason, collectChunks, outcomeWithin, testCall } from './support.js'
import type { Outcome } from './support.js'

export interface Streamer<Request, Chunk> {
  stream(request: Request, call: Call): AsyncIterable<Chunk>
}

/** How the shared cases use a capability. */
interface StreamSubject<Request, Chunk> {
  /** Two requests with different, deterministic answers of at least three chunks. */
  readonly request: (facts: ModelFacts, which: 0 | 1) => Request | Promise<Request>
  /** The part of an answer that must be equal for equal requests, however it is split into chunks. */
  readonly summary: (chunks: Chunk[]) => unknown
}

type Cases<Request, Chunk> = ConformanceCase<Streamer<Request, Chunk>>[]

export const streamCases = <Request, Chunk>(subject: StreamSubject<Request, Chunk>): Cases<Request, Chunk> => [
  ...endingCases(subject),
  ...repeatabilityCases<Streamer<Request, Chunk>, Request, unknown>({
    noun: 'streams',
    request: subject.request,
    answer: (service, input) => answerOf(service, input, subject.summary),
    abort: (service, input, facts) => outcomeWithin(readToEnd(service.stream(input, abortedCall())), abortLimit(facts)),
    assertSame: assert.deepEqual,
  }),
]

/** Cases of streams that end early. */
const endingCases = <Request, Chunk>({ request, summary }: StreamSubject<Request, Chunk>): Cases<Request, Chunk> =>
  cases<Streamer<Request, Chunk>>({
    'a signal that is aborted beforehand ends the stream before its first chunk': async (service, facts) => {
      const reading = readToEnd(service.stream(await request(facts, 0), abortedCall()))
      assertEndedWith(await outcomeWithin(reading, abortLimit(facts)), abortReason, 0)
    },
    'an abort in mid-stream ends it within one chunk, with the signal’s reason': async (service, facts) => {
      const controller = new AbortController()
      const iterator = start(service, await request(facts, 0), testCall({ signal: controller.signal }))
      await firstChunk(iterator)
      controller.abort(abortReason)
      assertEndedWith(await outcomeWithin(readToEnd(iterator), abortLimit(facts)), abortReason, 1)
    },
    'an abort while the first chunk is awaited ends the stream': async (service, facts) => {
      const controller = new AbortController()
      const stream = service.stream(await request(facts, 0), testCall({ signal: controller.signal }))
      const reading = readToEnd(stream)
      controller.abort(abortReason)
      assertEndedWith(await outcomeWithin(reading, abortLimit(facts)), abortReason, 1)
    },
    'an abort by the deadline while the consumer is slow ends the stream': async (service, facts) => {
      const controller = new AbortController()
      const deadlineError = failure('deadline_exceeded', {})
      const iterator = start(service, await request(facts, 0), testCall({ signal: controller.signal }))
      await firstChunk(iterator)
      await new Promise((resolve) => setTimeout(resolve, 30))
      controller.abort(deadlineError)
      assertEndedWith(await outcomeWithin(readToEnd(iterator), abortLimit(facts)), deadlineError, 1)
    },
    'a consumer that stops early frees the model': async (service, facts) => {
      const input = await request(facts, 0)
      for (let round = 0; round < 10; round++) {
        const iterator = start(service, input, testCall())
        await firstChunk(iterator)
        await iterator.return?.()
      }
      await answerOf(service, input, summary)
    },
  })

const answerOf = async <Request, Chunk>(
  service: Streamer<Request, Chunk>,
  input: Request,
  summary: (chunks: Chunk[]) => unknown,
) => summary(await collectChunks(service.stream(input, testCall())))

const start = <Request, Chunk>(service: Streamer<Request, Chunk>, request: Request, call: Call) =>
  service.stream(request, call)[Symbol.asyncIterator]()

const firstChunk = async (iterator: AsyncIterator<unknown>): Promise<void> => {
  assert.ok(!(await iterator.next()).done, 'the stream ended before its first chunk')
}

interface ReadResult {
  chunks: number
  error?: unknown
}

/** Reads to the end, and reports the error instead of throwing it. */
const readToEnd = async (source: AsyncIterable<unknown> | AsyncIterator<unknown>): Promise<ReadResult> => {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source
  const result: ReadResult = { chunks: 0 }
  try {
    while (!(await iterator.next()).done) result.chunks += 1
  } catch (error) {
    result.error = error
  }
  return result
}

const assertEndedWith = (outcome: Outcome<ReadResult>, expected: Error, maxChunks: number) => {
  if (!('value' in outcome)) assert.fail('the stream did not end in time after the abort')
  const { value } = outcome
  assert.ok(value.chunks <= maxChunks, `${value.chunks} chunks came after the abort`)
  assert.ok(value.error !== undefined, 'the stream ended as if nothing had happened')
  assert.equal(value.error, expected, 'the stream did not reject with the signal’s reason')
}
