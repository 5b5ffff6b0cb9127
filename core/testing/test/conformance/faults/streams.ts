import { setImmediate as nextTurn } from 'node:timers/promises'
import { failure, isSallyportError } from '@sallyport/core'
import { collectChunks, testCall } from '../../../src/index.js'
import type { Streamer } from '../../../src/conformance/stream-cases.js'
import type { Wrap } from '../plant.js'

type Stream<Request, Chunk> = Streamer<Request, Chunk>['stream']

/** Replaces the method; `inner` is the sound one. */
export const streaming =
  <Request, Chunk>(make: (inner: Stream<Request, Chunk>) => Stream<Request, Chunk>): Wrap<Streamer<Request, Chunk>> =>
  (sound) => ({ stream: make((request, call) => sound.stream(request, call)) })

/** Changes what the sound implementation is asked. */
export const asked = <Request, Chunk>(change: (request: Request) => Request): Wrap<Streamer<Request, Chunk>> =>
  streaming((inner) => (request, call) => inner(change(request), call))

/** Changes what the sound implementation says. */
export const said = <Request, Chunk>(
  change: (chunk: Chunk, request: Request, position: number) => readonly Chunk[],
): Wrap<Streamer<Request, Chunk>> =>
  streaming(
    (inner) =>
      async function* (request, call) {
        let position = 0
        for await (const chunk of inner(request, call)) yield* change(chunk, request, position++)
      },
  )

/** Changes the whole answer at once. */
export const saidAtOnce = <Request, Chunk>(
  change: (chunks: Chunk[], request: Request) => readonly Chunk[],
): Wrap<Streamer<Request, Chunk>> =>
  streaming(
    (inner) =>
      async function* (request, call) {
        yield* change(await collectChunks(inner(request, call)), request)
      },
  )

/** Refuses what it should answer. */
export const refusing = <Request, Chunk>(
  when: (request: Request) => boolean,
  code: 'internal' | 'unsupported' = 'internal',
): Wrap<Streamer<Request, Chunk>> =>
  streaming(
    (inner) =>
      async function* (request, call) {
        if (when(request)) throw failure(code, { problem: 'not this one' })
        yield* inner(request, call)
      },
  )

/** Faults for the cases of every stream; `spoil` changes the answer so that it is seen. */
export const streamFaults = <Request extends object, Chunk>(
  spoil: (chunk: Chunk, times: number) => Chunk,
): Record<string, Wrap<Streamer<Request, Chunk>>> => ({
  'a signal that is aborted beforehand ends the stream before its first chunk': streaming(
    (inner) => (request, call) => inner(request, call.signal.aborted ? testCall() : call),
  ),
  'an abort in mid-stream ends it within one chunk, with the signal’s reason': streaming(
    (inner) =>
      async function* (request, call) {
        try {
          yield* inner(request, call)
        } catch {
          throw new Error('stopped')
        }
      },
  ),
  'an abort while the first chunk is awaited ends the stream': streaming(
    (inner) =>
      async function* (request) {
        yield* await collectChunks(inner(request, testCall()))
      },
  ),
  'an abort by the deadline while the consumer is slow ends the stream': streaming(
    (inner) =>
      async function* (request, call) {
        try {
          yield* inner(request, call)
        } catch (error) {
          if (!isSallyportError(error)) throw error
        }
      },
  ),
  'a consumer that stops early frees the model': streaming((inner) => {
    let running = 0
    return async function* (request, call) {
      if (running >= 4) throw failure('overloaded', {})
      running += 1
      yield* inner(request, call)
      running -= 1
    }
  }),
  'the request is left as it was': streaming(
    (inner) => (request, call) => inner(Object.assign(request, { seen: true }), call),
  ),
  'the same request gets the same answer': streaming((inner) => {
    let times = 0
    return async function* (request, call) {
      times += 1
      for await (const chunk of inner(request, call)) yield spoil(chunk, times)
    }
  }),
  'streams side by side do not mix': streaming((inner) => {
    let latest: Request
    return async function* (request, call) {
      latest = request
      await nextTurn()
      yield* inner(latest, call)
    }
  }),
  'a call that failed does not spoil the next': streaming((inner) => {
    let failures = 0
    return async function* (request, call) {
      if (call.signal.aborted) failures += 1
      for await (const chunk of inner(request, call)) yield failures ? spoil(chunk, failures) : chunk
    }
  }),
})
