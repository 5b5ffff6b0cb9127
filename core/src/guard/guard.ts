import type { Call } from '../capabilities/call.js'
import type { Capability, MethodDeclaration } from '../capabilities/capability.js'
import type { AnyFields } from '../capabilities/fields.js'
import type { CheckContext, Detectors } from './checks.js'
import { isEmpty } from './effective-policy.js'
import { checkInput } from './input.js'
import type { Policy, Verdict } from './policy.js'
import { repeatsRequest } from './pieces.js'
import { inspectionsAtOnce } from './soundness.js'
import { guardedStream } from './stream/guarded-stream.js'
import { heldUntil } from './stream/held-until.js'
import { textsOf } from './walk.js'

/** What the chain needs beside the service that it wraps. */
export interface GuardContext {
  readonly policy: Policy
  readonly detectors: Detectors
  readonly onVerdict: (verdict: Verdict) => void
  readonly onInputPassed?: (() => void) | undefined
  readonly onFailure: CheckContext['onFailure']
}

type Method = (request: unknown, call: Call) => unknown

/** Of an answer that is streamed: while so many are being checked, its model waits. */
const segmentsAhead = 2

/**
 * Wraps a service so that nothing passes unchecked, and returns the same interface. Order: input injection → input
 * personal information → model → output personal information → toxicity → factuality.
 *
 * What comes out is checked in segments (sentences, as a rule), and a stream is released segment by segment: it equals
 * the unstreamed result, and no blocked byte can leave.
 */
export const guard = <Service extends object>(
  capability: Capability<Service>,
  service: Service,
  context: GuardContext,
): Service => {
  if (capability.guarded !== true || isEmpty(context.policy)) {
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
    ? (request, call) => guardStream(declaration, method, request, call, context)
    : (request, call) => guardCall(declaration, method, request, call, context)

/** The result is a stream of one piece. */
const guardCall = async (
  declaration: MethodDeclaration,
  method: Method,
  request: unknown,
  call: Call,
  context: GuardContext,
): Promise<unknown> => {
  const input = checkInput(declaration, request, context.policy.input, stageContext('input', call, context))
  await input.passed
  const checked = await input.request
  context.onInputPassed?.()
  const answering = (of: unknown) =>
    async function* (inner: Call) {
      yield await method(of, inner)
    }
  if (!repeatsRequest(declaration.output))
    return onlyPiece(guardOutput(declaration, answering(checked), request, call, context))
  // In the place of what comes out, which may say it as numbers, too.
  const repeated = async function* () {
    yield await Promise.resolve(checked)
  }
  const shown = guardOutput({ ...declaration, output: declaration.input }, repeated, request, call, context)
  return method(await onlyPiece(shown), call)
}

const onlyPiece = async (pieces: AsyncIterable<unknown>): Promise<unknown> => {
  let only: unknown
  for await (const piece of pieces) only = piece
  return only
}

/** The model begins to read while it is still looked for attacks; nothing of its answer leaves before that is done. */
async function* guardStream(
  declaration: MethodDeclaration,
  method: Method,
  request: unknown,
  call: Call,
  context: GuardContext,
) {
  const input = checkInput(declaration, request, context.policy.input, stageContext('input', call, context))
  const checked = await input.request
  const open = (inner: Call) => method(checked, inner) as AsyncIterable<unknown>
  const answer = (inner: Call) => guardOutput(declaration, open, request, inner, context)
  yield* heldUntil(input.passed.then(context.onInputPassed), answer, call)
}

const stageContext = (stage: Verdict['stage'], call: Call, context: GuardContext): CheckContext => ({
  call,
  stage,
  detectors: context.detectors,
  onVerdict: context.onVerdict,
  onFailure: context.onFailure,
})

/** The pieces that may leave. @param request whose texts an answer must agree with */
const guardOutput = (
  declaration: MethodDeclaration,
  open: (call: Call) => AsyncIterable<unknown>,
  request: unknown,
  call: Call,
  context: GuardContext,
): AsyncIterable<unknown> => {
  const { output: policy } = context.policy
  if (Object.keys(policy).length === 0) return open(call)
  const reference = policy.factuality ? allTextOf(declaration.input, request) : ''
  const atOnce = declaration.kind === 'stream' ? segmentsAhead : inspectionsAtOnce
  return guardedStream(declaration, open, { policy, reference, atOnce, context: stageContext('output', call, context) })
}

const allTextOf = (fields: AnyFields, value: unknown): string =>
  textsOf(fields, value)
    .map(({ text }) => text)
    .join('\n')
