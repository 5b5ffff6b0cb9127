/**
 * Wraps services so that their work is counted, and so that fields that the capability does not declare never reach
 * the chain or the client.
 */

import { withOrigin, failure, isCheck } from '@sallyport/core'
import type { Call, Capability, ErrorOrigin } from '@sallyport/core'
import type { InFlight } from '@sallyport/kit/async'
import { copyByShape } from './copy-by-shape.js'
import { ShapeMismatch } from './readers.js'
import { markInspecting } from './inspecting.js'

type Result = Promise<unknown> | AsyncIterable<unknown>
type Method = (request: unknown, call: Call) => Result

/**
 * Counts each call, and each step of a stream, until it has settled: a method that ignores an abort goes on after its
 * call has ended. A stream that yields an invalid chunk is ended. The calls that a detector makes are marked as part of
 * an inspection; to its errors, their origin is added.
 */
export const withValidResults = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  origin: Required<ErrorOrigin>,
  work: InFlight,
): Service => {
  const methods = Object.entries(capability.methods).flatMap(([name, { kind }]): [string, Method][] => {
    const method = (service as Readonly<Record<string, Method | undefined>>)[name]?.bind(service)
    if (!method) return []
    const valid = validResult(capability, name, origin)
    const answerOnce: Method = (request, call) =>
      countWork(
        work,
        () => method(request, call),
        (result) => valid(result, call),
      )
    const stream: Method = (request, call) =>
      validStream(method(request, call) as AsyncIterable<unknown>, work, (chunk) => valid(chunk, call))
    const run = kind === 'call' ? answerOnce : stream
    return [[name, isCheck(capability) ? asDetector(run, origin) : run]]
  })
  return Object.fromEntries(methods) as Service
}

const asDetector =
  (run: Method, origin: ErrorOrigin): Method =>
  async (request, call) => {
    try {
      return await (run(request, markInspecting(call)) as Promise<unknown>)
    } catch (error) {
      throw withOrigin(error, origin)
    }
  }

/**
 * Returns a function that copies a method's result, or a chunk of its stream.
 * @throws invalid_backend_result; its cause, for the log, has the path, and quotes no value that the backend returned
 */
const validResult = ({ name, methods }: Capability, method: string, { plugin, model }: Required<ErrorOrigin>) => {
  const shape = methods[method]?.result ?? {}
  return (value: unknown, { requestId }: Call): unknown => {
    try {
      return copyByShape(shape, value, 'result')
    } catch (error) {
      if (!(error instanceof ShapeMismatch)) throw error
      const where = error.path === '' ? '' : `${error.path}: `
      const mismatch = `the result of ${name}.${method} of the model ${model} does not match its declaration`
      const cause = failure('plugin_invalid', { plugin, problem: `${mismatch}: ${where}${error.problem}` })
      throw failure('invalid_backend_result', { requestId }, { cause })
    }
  }
}

/** Counts the work from its start until it has settled, and applies `use` to its value. */
const countWork = async <Value, Used>(
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

/** Counts the steps of a stream, not the time between them. */
const validStream = (
  stream: AsyncIterable<unknown>,
  work: InFlight,
  valid: (chunk: unknown) => unknown,
): AsyncIterable<unknown> => ({
  [Symbol.asyncIterator]: () => {
    const iterator = stream[Symbol.asyncIterator]()
    const end = (value?: unknown) =>
      countWork(
        work,
        () => iterator.return?.(value),
        (ended) => ended ?? { done: true as const, value },
      )
    const validStep = (step: IteratorResult<unknown, unknown>): IteratorResult<unknown, unknown> => {
      try {
        return step.done ? step : { done: false, value: valid(step.value) }
      } catch (error) {
        end().catch(() => undefined)
        throw error
      }
    }
    return { next: () => countWork(work, () => iterator.next(), validStep), return: end }
  },
})
