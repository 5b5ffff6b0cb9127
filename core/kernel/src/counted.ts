/** Services as everybody gets them: their work is counted, and what they answer is looked at. */

import type { UnderWay } from '@sallyport/kit/async'
import type { Call, Capability } from '@sallyport/core'

type Method = (request: unknown, call: Call) => Promise<unknown> | AsyncIterable<unknown>

/** Of one method: a result, or a piece of its stream, as it may go on. */
export type Look = (value: unknown, call: Call) => unknown

/**
 * The service with its calls, and each step of its streams, counted until they have settled: a method that ignores the
 * abort of its call goes on when the call has ended.
 * @param looks by the name of the method; a stream that does not pass is told to end
 */
export const counted = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  work: UnderWay,
  looks: (method: string) => Look,
): Service => {
  const settled: Settled = async (run, use) => {
    work.begin()
    try {
      return use(await run())
    } finally {
      work.end()
    }
  }
  const methods = Object.entries(capability.methods).flatMap(([name, { kind }]): [string, Method][] => {
    const method = (service as Readonly<Record<string, Method | undefined>>)[name]?.bind(service)
    if (!method) return []
    const look = looks(name)
    return [
      [
        name,
        kind === 'call'
          ? (request, call) =>
              settled(
                () => method(request, call) as Promise<unknown>,
                (result) => look(result, call),
              )
          : (request, call) =>
              stepwise(method(request, call) as AsyncIterable<unknown>, settled, (piece) => look(piece, call)),
      ],
    ]
  })
  return Object.fromEntries(methods) as Service
}

/** Runs, counts until that has settled, and makes use of what comes of it. */
type Settled = <Value, Result>(run: () => PromiseLike<Value> | Value, use: (value: Value) => Result) => Promise<Result>

/** Between its steps a stream does nothing. */
const stepwise = (
  stream: AsyncIterable<unknown>,
  settled: Settled,
  look: (piece: unknown) => unknown,
): AsyncIterable<unknown> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = stream[Symbol.asyncIterator]()
    const end = (value?: unknown) =>
      settled(
        () => iterator.return?.(value),
        (ended) => ended ?? { done: true as const, value },
      )
    const passed = (step: IteratorResult<unknown, unknown>): IteratorResult<unknown, unknown> => {
      try {
        return step.done ? step : { done: false, value: look(step.value) }
      } catch (error) {
        end().catch(() => undefined)
        throw error
      }
    }
    return { next: () => settled(() => iterator.next(), passed), return: end }
  },
})
