import type { Call } from '../capabilities/call.js'
import type { Capability, MethodDeclaration } from '../capabilities/capability.js'
import { checkPii, checkScore } from './checks.js'
import type { CheckContext, Detectors } from './checks.js'
import { isEmpty } from './effective-policy.js'
import { joinDeltas, putTexts } from './pieces.js'
import type { Policy, Verdict } from './policy.js'
import { rewriteTexts, textsOf } from './walk.js'

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
  const texts = [...new Set(textsOf(declaration.input, request).map(({ text }) => text))].filter(Boolean)
  if (injection) await Promise.all(texts.map((text) => checkScore('injection', injection, { text }, stage)))
  if (!pii) return request
  const replaced = new Map(
    await Promise.all(texts.map(async (text) => [text, await checkPii(pii, text, stage)] as const)),
  )
  return rewriteTexts(declaration.input, request, ({ text }) => replaced.get(text) ?? text)
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
  const replaced = new Map<string, string>()
  for (const [key, text] of joined) if (pii && text) replaced.set(key, await checkPii(pii, text, stage))
  const final = [...joined].map(([key, text]) => replaced.get(key) ?? text).filter(Boolean)
  if (toxicity) await Promise.all(final.map((text) => checkScore('toxicity', toxicity, { text }, stage)))
  if (factuality) {
    const reference = textsOf(declaration.input, request)
      .map(({ text }) => text)
      .join('\n')
    await Promise.all(final.map((text) => checkScore('factuality', factuality, { text, reference }, stage)))
  }
  return putTexts(declaration.output, pieces, joined, replaced)
}
