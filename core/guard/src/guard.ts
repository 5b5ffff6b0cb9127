import { abortWith, oneChunk, onlyChunk, Pacer } from '@sallyport/kit/async'
import type { Call, Capability, CheckPolicy, ForModels, MethodDeclaration, Verdict } from '@sallyport/core'
import { inMode } from './policy/active-check.js'
import type { ActiveChecks } from './policy/active-check.js'
import type { CheckContext } from './detect/checks.js'
import { withoutBlocked } from './results/left-out.js'
import { asRequest, checksBeyondResults, checksOfResults, refuseUnreadable, withoutPlaces } from './results/results.js'
import { checkInput } from './input/check-input.js'
import type { CheckedInput } from './input/check-input.js'
import { Observation } from './output/observation.js'
import { repeatsRequest } from './output/chunks.js'
import { withPlants } from './reference/planted.js'
import { referencesOf } from './reference/reference.js'
import { inspectionsAtOnce } from '@sallyport/core'
import { guardedStream } from './output/guarded-stream.js'
import { streamedSegment, unstreamedSegment } from './output/segmenter.js'
import { heldUntil } from './output/held-until.js'

/** What the chain needs beside the service that it wraps. */
export interface GuardContext extends Pick<CheckContext, 'progress' | 'memory' | 'onVerdict' | 'onFailure'> {
  readonly checks: ActiveChecks
  readonly onInputPassed?: (() => void) | undefined
  /** Told of parts of results that are left out because a check blocks them, by their names. */
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

/** Segments of a streamed answer: while so many are being checked, its model waits. */
const segmentsAhead = 2

/**
 * Wraps a service so that nothing passes unchecked, and returns the same interface. Order: the input's
 * checks → model → the output's checks, those of a stage in their own order. Where models are to read what comes out, the
 * input's checks look at it, too.
 *
 * What comes out is checked in segments (sentences, as a rule), and a stream is released segment by segment: it equals
 * the unstreamed result, and no blocked byte can leave. Checks that only report stand beside the way: they see the
 * request as it came, and what leaves.
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
          await observation.ended()
        } finally {
          observation.abort()
        }
      }
    : async (request, call) => {
        const observation = new Observation(call)
        try {
          const result = await guardCall(declaration, method, request, { ...context, call, observation })
          await observation.ended()
          return result
        } finally {
          observation.abort()
        }
      }

/** The result is a stream of one chunk. */
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
  // In the place of what comes out, which may say it as numbers, too.
  const repeating = { ...declaration, output: declaration.input }
  const repeated = guardOutput(repeating, () => oneChunk(checked), checked, call, context)
  return method(await onlyChunk(repeated), call)
}

/** What models are to read passes what is checked of what goes into them. */
const guardResult = async (
  declaration: MethodDeclaration,
  forModels: ForModels,
  result: unknown,
  context: CallContext,
): Promise<unknown> => {
  const checks = { input: checksOfResults(context.checks), output: [] }
  const onVerdict = (verdict: Verdict) => context.onVerdict(withoutPlaces(verdict))
  const read = asRequest(declaration, forModels)
  const check = async (part: unknown): Promise<unknown> => {
    const checked = guardInput(read, part, { ...context, checks, onVerdict }, 'output')
    await checked.passed.catch(refuseUnreadable)
    return checked.request
  }
  const { separable } = forModels
  return separable ? withoutBlocked(result, separable, check, (name) => context.onLeftOut?.(name)) : check(result)
}

/** The model begins to read while it is still looked for attacks; nothing of its answer leaves before that is done. */
async function* guardStream(declaration: MethodDeclaration, method: Method, request: unknown, context: CallContext) {
  const { call } = context
  const over = new AbortController()
  const unlink = abortWith(call.signal, over)
  try {
    const input = guardInput(declaration, request, { ...context, call: { ...call, signal: over.signal } })
    const checked = await input.request
    const { request: planted, checks } = withPlants(declaration, checked, context.checks)
    const open = (inner: Call) => method(planted, inner) as AsyncIterable<unknown>
    const answer = (inner: Call) => guardOutput(declaration, open, checked, inner, { ...context, checks })
    yield* heldUntil(input.passed.then(context.onInputPassed), answer, call)
  } finally {
    unlink()
    over.abort()
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
 * The chunks that may leave.
 * @param request as the model got it, without what was planted: an answer must agree with what it states
 */
const guardOutput = (
  declaration: MethodDeclaration,
  open: (call: Call) => AsyncIterable<unknown>,
  request: unknown,
  call: Call,
  context: CallContext,
): AsyncIterable<unknown> => {
  const { observation } = context
  const behind = (mode: CheckPolicy['mode']) => {
    const checks = inMode(mode, context.checks.output)
    if (checks.length === 0) return undefined
    const under = mode === 'shadow' ? observation.call : call
    const references = referencesOf(declaration, request, new Pacer(under))
    const pace =
      declaration.kind === 'stream'
        ? { atOnce: segmentsAhead, size: streamedSegment }
        : { atOnce: inspectionsAtOnce, size: unstreamedSegment }
    const outputChecks = { checks, references, ...pace, context: stageContext('output', under, context) }
    return (source: typeof open) => guardedStream(declaration, source, outputChecks)
  }
  const enforced = behind('enforce')
  const observed = behind('shadow')
  const chunks = enforced ? enforced(open) : open(call)
  return observed ? observation.of(chunks, (copies) => observed(() => copies)) : chunks
}
