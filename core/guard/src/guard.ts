import { abortWith, oneChunk, onlyChunk, Pacer } from '@sallyport/kit/async'
import type { Call, Capability, CheckPolicy, ForModels, MethodDeclaration, Verdict } from '@sallyport/core'
import { inMode } from './policy/active-check.js'
import type { ActiveChecks } from './policy/active-check.js'
import type { CheckContext } from './detect/checks.js'
import { withoutBlocked } from './results/without-blocked.js'
import { asRequest, checksBeyondResults, checksOfResults, refuseUnreadable, withoutSpans } from './results/results.js'
import { checkInput } from './input/check-input.js'
import type { CheckedInput } from './input/check-input.js'
import { Observation } from './output/observation.js'
import { repeatsRequest } from './output/chunks.js'
import { withPlants } from './reference/planted.js'
import { referencesOf } from './reference/reference.js'
import { inspectionsAtOnce } from '@sallyport/core'
import { guardedStream } from './output/guarded-stream.js'
import { streamedSegment, unstreamedSegment } from './output/segmenter.js'
import { releaseAfter } from './output/release-after.js'

/** What the chain needs beside the service that it wraps. */
export interface GuardContext extends Pick<CheckContext, 'progress' | 'memory' | 'onVerdict' | 'onFailure'> {
  readonly checks: ActiveChecks
  readonly onInputPassed?: (() => void) | undefined
  /** Called with the name of each part of a result that is left out because a check blocks it. */
  readonly onLeftOut?: (name: string) => void
}

/** What the chain needs for one call. */
interface CallContext extends GuardContext {
  readonly call: Call
  readonly observation: Observation
}

type Method = (request: unknown, call: Call) => unknown

/** True when no check would run. */
const isEmpty = ({ input, output }: ActiveChecks): boolean => !input.length && !output.length

/** While this many segments of a streamed answer are being checked, the stream of its model is not read. */
const segmentsAhead = 2

/**
 * Wraps a service so that nothing passes unchecked, and returns the same interface. The order is: input checks → model →
 * output checks; within a stage, the order of the checks. Results that models will read pass the input checks, too.
 *
 * Output is checked in segments, usually sentences, and a stream is released segment by segment. So it equals the unstreamed
 * result, and nothing that is blocked can leave. Checks in shadow mode only report: they see the original request, and copies
 * of what leaves.
 */
export const guard = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  context: GuardContext,
): Service => {
  if (capability.guarded !== true || isEmpty(context.checks)) {
    context.onInputPassed?.()
    return service
  }
  const methods = Object.entries(capability.methods).flatMap(([name, declaration]) => {
    const method = (service as Record<string, Method | undefined>)[name]
    return method ? [[name, guardMethod(declaration, method.bind(service), context)] as const] : []
  })
  return Object.fromEntries(methods) as Service
}

const guardMethod = (declaration: MethodDeclaration, method: Method, context: GuardContext): Method =>
  declaration.kind === 'stream'
    ? async function* (request, call) {
        const observation = new Observation(call)
        try {
          yield* guardStream(declaration, method, request, { ...context, call, observation })
          await observation.settled()
        } finally {
          observation.abort()
        }
      }
    : async (request, call) => {
        const observation = new Observation(call)
        try {
          const result = await guardCall(declaration, method, request, { ...context, call, observation })
          await observation.settled()
          return result
        } finally {
          observation.abort()
        }
      }

/** The result is checked as a stream of one chunk. */
const guardCall = async (
  declaration: MethodDeclaration,
  method: Method,
  request: unknown,
  context: CallContext,
): Promise<unknown> => {
  const { call } = context
  const input = guardInput(declaration, request, context)
  await input.passed
  const checked = await input.request
  context.onInputPassed?.()
  if (declaration.forModels) {
    const read = await guardResult(declaration, declaration.forModels, await method(checked, call), context)
    const rest = { ...context, checks: checksBeyondResults(context.checks) }
    return onlyChunk(guardOutput(declaration, () => oneChunk(read), checked, call, rest))
  }
  if (!repeatsRequest(declaration.output)) {
    const { request: planted, checks } = withPlants(declaration, checked, context.checks)
    const answering = (inner: Call) => oneChunk(method(planted, inner))
    return onlyChunk(guardOutput(declaration, answering, checked, call, { ...context, checks }))
  }
  // The result repeats the request, perhaps also as numbers. So the request is checked in its place.
  const repeating = { ...declaration, output: declaration.input }
  const repeated = guardOutput(repeating, () => oneChunk(checked), checked, call, context)
  return method(await onlyChunk(repeated), call)
}

/** Runs input checks on a result that a model will read. */
const guardResult = async (
  declaration: MethodDeclaration,
  forModels: ForModels,
  result: unknown,
  context: CallContext,
): Promise<unknown> => {
  const checks = { input: checksOfResults(context.checks), output: [] }
  const onVerdict = (verdict: Verdict) => context.onVerdict(withoutSpans(verdict))
  const read = asRequest(declaration, forModels)
  const check = async (part: unknown): Promise<unknown> => {
    const checked = guardInput(read, part, { ...context, checks, onVerdict }, 'output')
    await checked.passed.catch(refuseUnreadable)
    return checked.request
  }
  const { separable } = forModels
  return separable ? withoutBlocked(result, separable, check, (name) => context.onLeftOut?.(name)) : check(result)
}

/** The model starts while the request is still checked for attacks. Its answer is held until that is done. */
async function* guardStream(declaration: MethodDeclaration, method: Method, request: unknown, context: CallContext) {
  const { call } = context
  const streamEnd = new AbortController()
  const unlink = abortWith(call.signal, streamEnd)
  try {
    const input = guardInput(declaration, request, { ...context, call: { ...call, signal: streamEnd.signal } })
    const checked = await input.request
    const { request: planted, checks } = withPlants(declaration, checked, context.checks)
    const open = (inner: Call) => method(planted, inner) as AsyncIterable<unknown>
    const answer = (inner: Call) => guardOutput(declaration, open, checked, inner, { ...context, checks })
    yield* releaseAfter(input.passed.then(context.onInputPassed), answer, call)
  } finally {
    unlink()
    streamEnd.abort()
  }
}

const stageContext = (
  stage: Verdict['stage'],
  call: Call,
  { progress, memory, onVerdict, onFailure }: GuardContext,
): CheckContext => ({ call, stage, progress, memory, onVerdict, onFailure })

const guardInput = (
  declaration: MethodDeclaration,
  request: unknown,
  context: CallContext,
  stage: Verdict['stage'] = 'input',
): CheckedInput => {
  const { call, observation, checks } = context
  const enforced = inMode('enforce', checks.input)
  const input = checkInput(declaration, request, enforced, stageContext(stage, call, context))
  const observed = inMode('shadow', checks.input)
  if (observed.length)
    observation.add(checkInput(declaration, request, observed, stageContext(stage, observation.call, context)).passed)
  return input
}

/**
 * The chunks of the answer that passed the output checks.
 * @param request the request as checked, before planting; answers are compared with its statements
 */
const guardOutput = (
  declaration: MethodDeclaration,
  open: (call: Call) => AsyncIterable<unknown>,
  request: unknown,
  call: Call,
  context: CallContext,
): AsyncIterable<unknown> => {
  const { observation } = context
  const guardWith = (mode: CheckPolicy['mode']) => {
    const checks = inMode(mode, context.checks.output)
    if (checks.length === 0) return undefined
    const checkCall = mode === 'shadow' ? observation.call : call
    const references = referencesOf(declaration, request, new Pacer(checkCall))
    const pace =
      declaration.kind === 'stream'
        ? { maxConcurrent: segmentsAhead, size: streamedSegment }
        : { maxConcurrent: inspectionsAtOnce, size: unstreamedSegment }
    const outputChecks = { checks, references, ...pace, context: stageContext('output', checkCall, context) }
    return (source: typeof open) => guardedStream(declaration, source, outputChecks)
  }
  const enforced = guardWith('enforce')
  const observed = guardWith('shadow')
  const chunks = enforced ? enforced(open) : open(call)
  return observed ? observation.observe(chunks, (copies) => observed(() => copies)) : chunks
}
