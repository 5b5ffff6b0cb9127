import type { Call } from '../capabilities/call.js'
import type { Capability, MethodDeclaration } from '../capabilities/capability.js'
import type { InspectionRequest } from '../capabilities/safeguard.js'
import { showPath } from '../config/data.js'
import { failure } from '../errors/index.js'
import { mapBounded } from '../async/map-bounded.js'
import { checkScore } from './checks.js'
import type { CheckContext, Detectors } from './checks.js'
import { isEmpty } from './effective-policy.js'
import { textsToInspect } from './input-texts.js'
import { joinParts, rewriteParts } from './parts.js'
import { joinDeltas, putTexts } from './pieces.js'
import { checkPii } from './personal-information.js'
import type { PiiPolicy, Policy, Verdict } from './policy.js'
import { inspectionsAtOnce } from './soundness.js'
import { readingsOf } from './readings.js'
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

/**
 * Wraps a service so that nothing passes unchecked, and returns the same interface. Order: input injection → input
 * personal information → model → output personal information → toxicity → factuality.
 *
 * A stream under output checks is released as a whole once it has passed: it equals the unstreamed result and no
 * blocked byte can leave, at the price of its first piece coming last.
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
    : async (request, call) => {
        const checked = await guardInput(declaration, request, call, context)
        context.onInputPassed?.()
        const result = await method(checked, call)
        const [guarded] = await guardOutput(declaration, [result], request, call, context)
        return guarded
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
  const pieces = method(checked, call) as AsyncIterable<unknown>
  if (Object.keys(context.policy.output).length === 0) {
    yield* pieces
    return
  }
  const held: unknown[] = []
  for await (const piece of pieces) held.push(piece)
  yield* await guardOutput(declaration, held, request, call, context)
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

/** Checks a whole result, given as its pieces, and returns the pieces that may leave. */
const guardOutput = async (
  declaration: MethodDeclaration,
  pieces: readonly unknown[],
  request: unknown,
  call: Call,
  context: GuardContext,
): Promise<readonly unknown[]> => {
  const { pii, toxicity, factuality } = context.policy.output
  if (!pii && !toxicity && !factuality) return pieces
  const stage = stageContext('output', call, context)
  const joined = joinDeltas(declaration.output, pieces)
  const replaced = pii ? await replaceAll(distinct([...joined.values()]), pii, stage) : new Map<string, string>()
  const final = distinct([...joined.values()].map((text) => replaced.get(text) ?? text))
  const texts = final.map((text) => ({ text }))
  if (toxicity) await inspectAll(texts, (inspected) => checkScore('toxicity', toxicity, inspected, stage))
  if (factuality) {
    const reference = textsOf(declaration.input, request)
      .map(({ text }) => text)
      .join('\n')
    await inspectAll(texts, ({ text }) => checkScore('factuality', factuality, { text, reference }, stage))
  }
  return putTexts(declaration.output, pieces, joined, replaced)
}

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
