/** Services whose work is counted: a method that ignores the abort of its call goes on when the call has ended. */

import type { Capability } from '../capabilities/capability.js'
import type { UnderWay } from '../async/under-way.js'

type Method = (request: unknown, call: unknown) => Promise<unknown> | AsyncIterable<unknown>

/** The service with its calls, and each step of its streams, counted until they have settled. */
export const counted = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  work: UnderWay,
): Service => {
  const settled = async <Value>(run: () => Value | PromiseLike<Value>): Promise<Value> => {
    work.begin()
    try {
      return await run()
    } finally {
      work.end()
    }
  }
  const methods = Object.entries(capability.methods).flatMap(([name, { kind }]): [string, Method][] => {
    const method = (service as Readonly<Record<string, Method | undefined>>)[name]?.bind(service)
    if (!method) return []
    return [
      [
        name,
        kind === 'call'
          ? (request, call) => settled(() => method(request, call) as Promise<unknown>)
          : (request, call) => stepwise(method(request, call) as AsyncIterable<unknown>, settled),
      ],
    ]
  })
  return Object.fromEntries(methods) as Service
}

/** Between its steps a stream does nothing. */
const stepwise = (
  stream: AsyncIterable<unknown>,
  settled: <Value>(run: () => Value | PromiseLike<Value>) => Promise<Value>,
): AsyncIterable<unknown> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = stream[Symbol.asyncIterator]()
    return {
      next: () => settled(() => iterator.next()),
      return: (value?: unknown) => settled(() => iterator.return?.(value) ?? { done: true, value }),
    }
  },
})
