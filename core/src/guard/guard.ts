import type { Call } from '../capabilities/call.js'
import type { Capability, MethodDeclaration } from '../capabilities/capability.js'
import { failure } from '../errors/index.js'
import { mapBounded } from '../kernel/map-bounded.js'
import { checkPii, checkScore } from './checks.js'
import type { CheckContext, Detectors } from './checks.js'
import { isEmpty } from './effective-policy.js'
import { joinParts, rewriteParts } from './parts.js'
import { joinDeltas, putTexts } from './pieces.js'
import type { PiiPolicy, Policy, Verdict } from './policy.js'
import { readable } from './structure.js'
import { joinTurns } from './turns.js'
import { rewriteTexts, textsOf } from './walk.js'
import type { TextSite } from './walk.js'

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
  const single = sites.flatMap(({ leaf, text }) => (leaf === 'identifier' ? [] : text))
  const wholes = [...joinParts(sites)]
  if (injection) {
    const turns = joinTurns(declaration, request, sites)
    // What a run of turns holds is inspected by itself and in the run.
    const others = wholes.flatMap(([path, text]) => (turns.holds(path) ? [] : text))
    const texts = distinct([...single, ...others, ...turns.texts])
    await inspectAll(texts, (text) => checkScore('injection', injection, { text }, stage))
  }
  if (!pii) return request
  const replaced = await replaceAll(distinct([...single, ...wholes.map(([, text]) => text)]), pii, stage)
  return rewriteParts(declaration.input, rewriteTexts(declaration.input, request, withReplaced(replaced)), (joined) =>
    checkPii(pii, joined, stage),
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
  if (toxicity) await inspectAll(final, (text) => checkScore('toxicity', toxicity, { text }, stage))
  if (factuality) {
    const reference = textsOf(declaration.input, request)
      .map(({ text }) => text)
      .join('\n')
    await inspectAll(final, (text) => checkScore('factuality', factuality, { text, reference }, stage))
  }
  return putTexts(declaration.output, pieces, joined, replaced)
}

/** Texts of one request that are inspected at the same time: more would only wait, and run out of their budget. */
const inspectionsAtOnce = 8

const distinct = (texts: readonly string[]) => [...new Set(texts)].filter(Boolean)

/** JSON is inspected as it stands and as it reads. */
const inspectAll = (texts: readonly string[], inspect: (text: string) => Promise<void>) =>
  mapBounded(
    texts.flatMap((text) => [text, readable(text) ?? []].flat()),
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
const refuseEncoded = (names: readonly string[], value: unknown, path = ''): void => {
  if (!names.length || typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const [key, inner] of Object.entries(value)) {
    const field = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key
    if (names.includes(key) && inner !== undefined)
      throw failure('unsupported', { field, problem: 'token ids cannot be checked by the safeguards: send text' })
    refuseEncoded(names, inner, field)
  }
}

const identifier = /^[\w.:/-]{1,128}$/

/** An identifier is not inspected, so it must be one. @throws invalid_request */
const refuseOddIdentifiers = (sites: readonly TextSite[]): void => {
  const odd = sites.find(({ leaf, text }) => leaf === 'identifier' && !identifier.test(text))
  if (odd)
    throw failure('invalid_request', {
      field: odd.path,
      problem: 'must be an identifier: 1 to 128 letters, digits or any of . : / _ -',
    })
}
