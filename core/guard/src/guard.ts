import { inspectionsAtOnce, Vault } from '@sallyport/core'
import { abortWith, oneChunk, singleChunk, Pacer } from '@sallyport/kit/async'
import type { Call, CallOptions, Capability, PolicyEntry, ForModels, MethodDeclaration, Verdict } from '@sallyport/core'
import { inMode, restores } from './policy/active-check.js'
import type { ActiveCheck, ActiveChecks } from './policy/active-check.js'
import type { CheckContext } from './detect/checks.js'
import { withoutBlocked } from './results/without-blocked.js'
import {
  asRequest,
  remainingOutputChecks,
  checksOfResults,
  rethrowAsUnavailable,
  withoutSpans,
} from './results/results.js'
import { checkInput } from './input/check-input.js'
import type { CheckedInput } from './input/check-input.js'
import { ShadowChecks } from './output/shadow-checks.js'
import { repeatsRequest } from './output/chunks.js'
import { withCanaries } from './reference/canaries.js'
import { referencesOf } from './reference/reference.js'
import { restoredRequest, restoredStream } from './restore/restored-stream.js'
import type { Restoration } from './restore/restored-stream.js'
import { guardedStream } from './output/guarded-stream.js'
import { streamedSize, unstreamedSize } from './output/segmenter.js'
import { releaseAfter } from './output/release-after.js'

/** What the chain needs beside the service that it wraps. */
export interface GuardContext extends Pick<CheckContext, 'progress' | 'cache' | 'vault' | 'onVerdict' | 'onFailure'> {
  readonly checks: ActiveChecks
  readonly remoteTools?: CallOptions['remoteTools'] | undefined
  readonly onInputPassed?: (() => void) | undefined
  /** Called with the name of each part of a result that is left out because a check blocks it. */
  readonly onBlockedPart?: (name: string) => void
}

/** What the chain needs for one call. */
interface CallContext extends GuardContext {
  readonly call: Call
  readonly shadow: ShadowChecks
  /** Undefined where no policy restores. */
  readonly restoration: Restoration | undefined
}

type Method = (request: unknown, call: Call) => unknown

/** True when no check would run. */
const isEmpty = ({ input, output }: ActiveChecks): boolean => !input.length && !output.length

/** While this many segments of a streamed answer are being checked, the model's stream is not read. */
const segmentsAhead = 2

/**
 * Wraps a service so that nothing passes unchecked, and returns the same interface. The order is: input checks → model
 * → output checks; within a stage, the order of the checks. Results that models will read pass the input checks, too.
 * Output is checked in segments, usually sentences, and a stream is released segment by segment. So it equals the
 * unstreamed result, and nothing that is blocked is released. Checks in shadow mode only report: they see the original
 * request, and what is released. After all of them, what was replaced is put back where a policy restores it.
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
        const shadow = new ShadowChecks(call)
        try {
          yield* guardStream(declaration, method, request, callContext(context, call, shadow))
          await shadow.settled()
        } finally {
          shadow.abort()
        }
      }
    : async (request, call) => {
        const shadow = new ShadowChecks(call)
        try {
          const result = await guardCall(declaration, method, request, callContext(context, call, shadow))
          await shadow.settled()
          return result
        } finally {
          shadow.abort()
        }
      }

const callContext = (context: GuardContext, call: Call, shadow: ShadowChecks): CallContext => ({
  ...context,
  ...{ call, shadow },
  restoration: restorationOf(context),
})

/** The entries share what they replaced, so a server gets it only where each of them lists it. */
const serversOf = ({ entry: { restore } }: ActiveCheck): readonly string[] =>
  typeof restore === 'object' ? restore.servers : []

/** What stays is reported as a verdict of the first check that restores. */
const restorationOf = ({ checks, vault, remoteTools, onVerdict }: GuardContext): Restoration | undefined => {
  const restoring = checks.input.filter(restores)
  const [check] = restoring
  if (!check) return undefined
  const { name, definition, entry } = check
  const verdict = { check: name, stage: 'input', verdict: 'pass', mode: entry.mode, order: definition.order } as const
  return {
    vault: vault ?? new Vault(),
    remoteTools,
    servers: serversOf(check).filter((server) => restoring.every((one) => serversOf(one).includes(server))),
    onUnrestored: (unrestored) => onVerdict({ ...verdict, latency: 0, unrestored }),
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
  const checkedRequest = await input.request
  context.onInputPassed?.()
  if (declaration.forModels) {
    const { restoration } = context
    const sent = restoration ? restoredRequest(declaration, checkedRequest, restoration) : checkedRequest
    const checkedResult = await guardResult(declaration, declaration.forModels, await method(sent, call), context)
    const rest = { ...context, checks: remainingOutputChecks(context.checks) }
    return singleChunk(guardOutput(declaration, () => oneChunk(checkedResult), checkedRequest, call, rest))
  }
  if (!repeatsRequest(declaration.output)) {
    const { request: modelRequest, checks } = withCanaries(declaration, checkedRequest, context.checks)
    const answering = (inner: Call) => oneChunk(method(modelRequest, inner))
    const answer = guardOutput(declaration, answering, checkedRequest, call, { ...context, checks })
    return singleChunk(restoredAnswer(declaration, answer, call, context))
  }
  // The result only repeats the request, perhaps also as token ids. So the request is checked instead of the result.
  const repeating = { ...declaration, output: declaration.input }
  const repeated = guardOutput(repeating, () => oneChunk(checkedRequest), checkedRequest, call, context)
  return method(await singleChunk(repeated), call)
}

/** Runs input checks on a result that a model will read. */
const guardResult = async (
  declaration: MethodDeclaration,
  forModels: ForModels,
  result: unknown,
  context: CallContext,
): Promise<unknown> => {
  const checks = { input: checksOfResults(context.checks), output: [] }
  const { separable } = forModels
  const onVerdict = (verdict: Verdict) => context.onVerdict(separable ? withoutSpans(verdict) : verdict)
  const resultAsRequest = asRequest(declaration, forModels)
  const check = async (part: unknown): Promise<unknown> => {
    const checked = guardInput(resultAsRequest, part, { ...context, checks, onVerdict }, 'output')
    await checked.passed.catch(rethrowAsUnavailable)
    return checked.request
  }
  return separable ? withoutBlocked(result, separable, check, (name) => context.onBlockedPart?.(name)) : check(result)
}

/** The model starts while the request is still being checked for attacks. Its answer is held until that is done. */
async function* guardStream(declaration: MethodDeclaration, method: Method, request: unknown, context: CallContext) {
  const { call } = context
  const streamEnd = new AbortController()
  const unlink = abortWith(call.signal, streamEnd)
  try {
    const input = guardInput(declaration, request, { ...context, call: { ...call, signal: streamEnd.signal } })
    const checkedRequest = await input.request
    const { request: modelRequest, checks } = withCanaries(declaration, checkedRequest, context.checks)
    const open = (inner: Call) => method(modelRequest, inner) as AsyncIterable<unknown>
    const answer = (inner: Call) => {
      const chunks = guardOutput(declaration, open, checkedRequest, inner, { ...context, checks })
      return restoredAnswer(declaration, chunks, inner, context)
    }
    yield* releaseAfter(input.passed.then(context.onInputPassed), answer, call)
  } finally {
    unlink()
    streamEnd.abort()
  }
}

const restoredAnswer = (
  declaration: MethodDeclaration,
  chunks: AsyncIterable<unknown>,
  call: Call,
  { restoration }: CallContext,
): AsyncIterable<unknown> => (restoration ? restoredStream(declaration, chunks, restoration, call) : chunks)

const stageContext = (
  stage: Verdict['stage'],
  call: Call,
  { progress, cache, onVerdict, onFailure, restoration }: CallContext,
): CheckContext => ({ call, stage, progress, cache, onVerdict, onFailure, vault: restoration?.vault })

const guardInput = (
  declaration: MethodDeclaration,
  request: unknown,
  context: CallContext,
  stage: Verdict['stage'] = 'input',
): CheckedInput => {
  const { call, shadow, checks } = context
  const enforced = inMode('enforce', checks.input)
  const input = checkInput(declaration, request, enforced, stageContext(stage, call, context))
  const observed = inMode('shadow', checks.input)
  if (observed.length)
    shadow.add(checkInput(declaration, request, observed, stageContext(stage, shadow.call, context)).passed)
  return input
}

/**
 * The chunks of the answer that passed the output checks.
 * @param request the checked request without canaries; answers are compared with its statements or instructions
 */
const guardOutput = (
  declaration: MethodDeclaration,
  open: (call: Call) => AsyncIterable<unknown>,
  request: unknown,
  call: Call,
  context: CallContext,
): AsyncIterable<unknown> => {
  const { shadow } = context
  const guardWith = (mode: PolicyEntry['mode']) => {
    const checks = inMode(mode, context.checks.output)
    if (checks.length === 0) return undefined
    const checkCall = mode === 'shadow' ? shadow.call : call
    const findReference = referencesOf(declaration, request, new Pacer(checkCall))
    const pace =
      declaration.kind === 'stream'
        ? { maxConcurrent: segmentsAhead, size: streamedSize }
        : { maxConcurrent: inspectionsAtOnce, size: unstreamedSize }
    const outputChecks = { checks, findReference, ...pace, context: stageContext('output', checkCall, context) }
    return (source: typeof open) => guardedStream(declaration, source, outputChecks)
  }
  const guardEnforced = guardWith('enforce')
  const guardShadow = guardWith('shadow')
  const chunks = guardEnforced ? guardEnforced(open) : open(call)
  return guardShadow ? shadow.tee(chunks, (same) => guardShadow(() => same)) : chunks
}
