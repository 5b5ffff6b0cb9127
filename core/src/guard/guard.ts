import type { Call } from '../capabilities/call.js'
import type { Capability, MethodDeclaration } from '../capabilities/capability.js'
import type { AnyFields } from '../capabilities/fields.js'
import type { InspectionRequest } from '../capabilities/safeguard.js'
import { showPath } from '../config/data.js'
import { failure } from '../errors/index.js'
import { mapBounded } from '../async/map-bounded.js'
import { checkScore } from './checks.js'
import type { CheckContext, Detectors } from './checks.js'
import { isEmpty } from './effective-policy.js'
import { textsToInspect } from './input-texts.js'
import { joinParts, rewriteParts } from './parts.js'
import { checkPii } from './personal-information.js'
import type { PiiPolicy, Policy, Verdict } from './policy.js'
import { inspectionsAtOnce } from './soundness.js'
import { readingsOf } from './readings.js'
import { guardedStream } from './stream/guarded-stream.js'
import { rewriteTexts, textsOf } from './walk.js'
import type { Steps, TextSite } from './walk.js'

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
  const checked = await guardInput(declaration, request, call, context)
  context.onInputPassed?.()
  const open = async function* (inner: Call) {
    yield await method(checked, inner)
  }
  let result: unknown
  for await (const piece of guardOutput(declaration, open, request, call, context)) result = piece
  return result
}

async function* guardStream(
  declaration: MethodDeclaration,
  method: Method,
  request: unknown,
  call: Call,
  context: GuardContext,
) {
  const checked = await guardInput(declaration, request, call, context)
  context.onInputPassed?.()
  yield* guardOutput(declaration, (inner) => method(checked, inner) as AsyncIterable<unknown>, request, call, context)
}

const stageContext = (stage: Verdict['stage'], call: Call, context: GuardContext): CheckContext => ({
  call,
  stage,
  detectors: context.detectors,
  onVerdict: context.onVerdict,
  onFailure: context.onFailure,
})

const guardInput = async (declaration: MethodDeclaration, request: unknown, call: Call, context: GuardContext) => {
  const { injection, pii } = context.policy.input
  const stage = stageContext('input', call, context)
  const sites = textsOf(declaration.input, request)
  refuseOddIdentifiers(sites)
  if (injection || pii) refuseEncoded(declaration.encoded ?? [], request)
  if (injection)
    await inspectAll(textsToInspect(declaration, request, sites), (inspected) =>
      checkScore('injection', injection, inspected, stage),
    )
  if (!pii) return request
  const single = sites.flatMap(({ leaf, text }) => (leaf === 'identifier' ? [] : text))
  const wholes = joinParts(sites).map(({ text }) => text)
  const replaced = await replaceAll(distinct([...single, ...wholes]), pii, stage)
  const rewritten = rewriteTexts(declaration.input, request, withReplaced(replaced))
  return rewriteParts(
    declaration.input,
    rewritten,
    // What no replacement has changed has been looked at.
    async (joined) => replaced.get(joined) ?? checkPii(pii, joined, stage),
  )
}

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

const distinct = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean)

/** Each text is inspected in every way that it may read. */
const inspectAll = (requests: readonly InspectionRequest[], inspect: (request: InspectionRequest) => Promise<void>) =>
  mapBounded(
    requests.flatMap((request) => readingsOf(request.text).map(({ text }) => ({ ...request, text }))),
    inspectionsAtOnce,
    inspect,
  )

/** Each text and what it becomes. */
const replaceAll = async (texts: readonly string[], policy: PiiPolicy, stage: CheckContext) =>
  new Map(
    await mapBounded(texts, inspectionsAtOnce, async (text) => [text, await checkPii(policy, text, stage)] as const),
  )

const withReplaced =
  (replaced: ReadonlyMap<string, string>) =>
  ({ text }: TextSite) =>
    replaced.get(text) ?? text

/** Token ids would carry any text past the checks. @throws unsupported */
const refuseEncoded = (names: readonly string[], value: unknown, path: Steps = []): void => {
  if (!names.length || typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    if (names.includes(key) && inner !== undefined)
      throw failure('unsupported', {
        field: showPath(here),
        problem: 'token ids cannot be checked by the safeguards: send text',
      })
    refuseEncoded(names, inner, here)
  }
}

const identifier = /^[\w.:/-]{1,128}$/

/** An identifier is not inspected, so it must be one. @throws invalid_request */
const refuseOddIdentifiers = (sites: readonly TextSite[]): void => {
  const odd = sites.find(({ leaf, text }) => leaf === 'identifier' && !identifier.test(text))
  if (odd)
    throw failure('invalid_request', {
      field: showPath(odd.path),
      problem: 'must be an identifier: 1 to 128 letters, digits or any of . : / _ -',
    })
}
