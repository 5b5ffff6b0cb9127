/**
 * Services as everybody gets them: their work is counted, and what they answer is made of what their capability
 * declares. Nothing else passes the chain, or leaves.
 */

import { cameFrom, failure, isCheck } from '@sallyport/core'
import type { Call, Capability, ErrorOrigin } from '@sallyport/core'
import type { InFlight } from '@sallyport/kit/async'
import { conform } from './conform.js'
import { Misfit } from './readers.js'
import { asInspecting } from './inspecting.js'

type Result = Promise<unknown> | AsyncIterable<unknown>
type Method = (request: unknown, call: Call) => Result

/**
 * The service with its calls, and each step of its streams, counted until they have settled: a method that ignores the
 * abort of its call goes on when the call has ended. A stream whose chunk is not as declared is told to end. What
 * detectors ask models is known for theirs, and so are their failures.
 */
export const validService = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  origin: Required<ErrorOrigin>,
  work: InFlight,
): Service => {
  const methods = Object.entries(capability.methods).flatMap(([name, { kind }]): [string, Method][] => {
    const method = (service as Readonly<Record<string, Method | undefined>>)[name]?.bind(service)
    if (!method) return []
    const valid = validResult(capability, name, origin)
    const once: Method = (request, call) =>
      settled(
        work,
        () => method(request, call),
        (result) => valid(result, call),
      )
    const stream: Method = (request, call) =>
      stepwise(method(request, call) as AsyncIterable<unknown>, work, (chunk) => valid(chunk, call))
    const run = kind === 'call' ? once : stream
    return [[name, isCheck(capability) ? asDetector(run, origin) : run]]
  })
  return Object.fromEntries(methods) as Service
}

const asDetector =
  (run: Method, origin: ErrorOrigin): Method =>
  async (request, call) => {
    try {
      return await (run(request, asInspecting(call)) as Promise<unknown>)
    } catch (error) {
      throw cameFrom(error, origin)
    }
  }

/**
 * Copies what a method answered, or a chunk of its stream.
 * @throws invalid_backend_result: the cause is for the log, and says where; it quotes nothing that the backend said
 */
const validResult = ({ name, methods }: Capability, method: string, { plugin, model }: Required<ErrorOrigin>) => {
  const shape = methods[method]?.result ?? {}
  return (value: unknown, { requestId }: Call): unknown => {
    try {
      return conform(shape, value, 'left out')
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      const where = error.path === '' ? '' : `${error.path}: `
      const gave = `what ${name}.${method} of the model ${model} gave is not what is declared`
      const cause = failure('plugin_invalid', { plugin, problem: `${gave}: ${where}${error.problem}` })
      throw failure('invalid_backend_result', { requestId }, { cause })
    }
  }
}

/** Runs, counts until that has settled, and makes use of what comes of it. */
const settled = async <Value, Used>(
  work: InFlight,
  run: () => PromiseLike<Value> | Value,
  use: (value: Value) => Used,
): Promise<Used> => {
  work.begin()
  try {
    return use(await run())
  } finally {
    work.end()
  }
}

/** Between its steps a stream does nothing. */
const stepwise = (
  stream: AsyncIterable<unknown>,
  work: InFlight,
  valid: (chunk: unknown) => unknown,
): AsyncIterable<unknown> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = stream[Symbol.asyncIterator]()
    const end = (value?: unknown) =>
      settled(
        work,
        () => iterator.return?.(value),
        (ended) => ended ?? { done: true as const, value },
      )
    const passed = (step: IteratorResult<unknown, unknown>): IteratorResult<unknown, unknown> => {
      try {
        return step.done ? step : { done: false, value: valid(step.value) }
      } catch (error) {
        end().catch(() => undefined)
        throw error
      }
    }
    return { next: () => settled(work, () => iterator.next(), passed), return: end }
  },
})
