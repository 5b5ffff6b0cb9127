/** Makes the services that `kernel.get` returns from those of models: guarded, bounded in time, complete. */

import {
  withOrigin,
  chat,
  completion,
  embedding,
  failure,
  isSallyportError,
  refersToLog,
  rerank,
} from '@sallyport/core'
import type { Call, CallOptions, Capability, ErrorOrigin, MethodDeclaration, Served, Usage } from '@sallyport/core'
import type { ChatCapability, EmbeddingResult, GenerationOptions } from '@sallyport/core'
import { guard } from '@sallyport/guard'
import type { GuardContext } from '@sallyport/guard'
import { streamUntilAborted, untilAborted } from '@sallyport/kit/async'
import { collect, usageOfChoices } from '@sallyport/kit/generation'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { structuredChat } from '../structured/structured-chat.js'
import { ObservedCall } from '../telemetry.js'
import { withKernelFeatures, hasMember } from './kernel-features.js'
import type { Method } from './kernel-features.js'
import { withoutEmpty } from './generation.js'
import type { GenerationChunk, UsageCounter } from './generation.js'
import { checkGeneration, checkOptions, validRequest } from './requests.js'
import type { CallTracker } from './tracker.js'

interface ServingContext {
  readonly calls: CallTracker
  /** The backend or plugin and the model, for the log. */
  readonly label: string
  /** The plugin and the model, for errors. */
  readonly origin: ErrorOrigin
  /** Keeps the model and the detectors of the checks around it loaded until they are released. */
  readonly acquire: (options: CallOptions, call: Call) => Promise<() => void>
  /** The model's current service. @throws not_ready */
  readonly service: () => object
  /** Undefined where the model has no tokenizer. */
  readonly usageCounter: () => UsageCounter | undefined
  /** Validates the schemas of requests, and answers against them. */
  readonly schemas: SchemaChecker
  readonly guardContext: (options: CallOptions, call: Call) => GuardContext
  /** Called with errors whose message refers to the log for details. */
  readonly onFailure: (error: Error, call: Call) => void
}

type Streamed = (request: unknown, options?: CallOptions) => AsyncIterable<never>

export const serveCapability = <Service extends object>(
  capability: Capability<Service>,
  context: ServingContext,
): Served<Service> => {
  const methods = Object.entries(capability.methods).map(([name, declaration]) => [
    name,
    (declaration.kind === 'stream' ? servedStream : servedCall)({ capability, name, declaration }, context),
  ])
  const served = Object.fromEntries(methods) as Record<string, unknown>
  if (isGeneration(capability)) {
    const stream = served['stream'] as Streamed
    served['generate'] = (request: unknown, options?: CallOptions) => collect(stream(request, options))
  }
  return served as Served<Service>
}

const isGeneration = ({ name }: Capability) => name === chat.name || name === completion.name

/** The service with the kernel's features and the safeguards of this call around it. */
const guardedService = (
  capability: Capability,
  context: ServingContext,
  options: CallOptions,
  call: Call,
): Record<string, Method> => {
  const service = withKernelFeatures(capability, context.service(), context.label, context.usageCounter)
  const guardContext = context.guardContext(options, call)
  const guarded = <Service extends object>(inner: Service) =>
    guard<Service>(capability as Capability<Service>, inner, guardContext)
  const wrapped: object =
    capability.name === chat.name
      ? structuredChat(
          service as ChatCapability,
          guarded<ChatCapability>,
          context.schemas,
          replacementMessage(guardContext),
        )
      : guarded(service)
  return wrapped as Record<string, Method>
}

/** The public message of the first check that may replace something. */
const replacementMessage = ({ checks }: GuardContext): string | undefined =>
  [...checks.input, ...checks.output].find(({ entry }) => entry.action === 'replace')?.definition.message

/** Checks the one option of generation that other streams may have. @throws invalid_request */
const checkChoiceCount = ({ n }: GenerationOptions): void => checkGeneration(n === undefined ? {} : { n })

/** A method of a capability, with its declaration. */
interface CapabilityMethod {
  readonly capability: Capability
  readonly name: string
  readonly declaration: MethodDeclaration
}

/** The results of a plugin's capability may be nothing, or use `promptTokens` for something else. */
const countedCapabilities = new Set([embedding.name, rerank.name])

const servedCall =
  (served: CapabilityMethod, context: ServingContext) =>
  async (request: unknown, options: CallOptions = {}) => {
    checkOptions(options)
    const valid = validRequest(served.declaration, request)
    const { call: opened, end } = context.calls.open(options)
    const observed = new ObservedCall(served.capability.name, served.name, context.origin, opened)
    const { call } = observed
    let release: (() => void) | undefined
    try {
      release = await context.acquire(options, call)
      const method = methodOf(served, context, options, call)
      const result = await untilAborted(Promise.resolve(method(valid, call)), call.signal)
      if (countedCapabilities.has(served.capability.name)) {
        const { promptTokens } = result as Partial<EmbeddingResult>
        if (promptTokens !== undefined) observed.usage(options.onUsage)({ promptTokens })
      }
      observed.succeed()
      return result
    } catch (error) {
      throw observed.fail(toCallError(error, context, call))
    } finally {
      release?.()
      observed.end()
      end()
    }
  }

const servedStream = (served: CapabilityMethod, context: ServingContext) =>
  async function* (request: unknown, options: CallOptions = {}): AsyncGenerator {
    checkOptions(options)
    const valid = validRequest(served.declaration, request)
    const isGenerated = isGeneration(served.capability)
    if (isGenerated) checkGeneration(valid as GenerationOptions)
    else if (hasMember(served.declaration.request, 'n?')) checkChoiceCount(valid as GenerationOptions)
    const { call: opened, end } = context.calls.open(options)
    const observed = new ObservedCall(served.capability.name, served.name, context.origin, opened)
    const { call } = observed
    let release: (() => void) | undefined
    try {
      release = await context.acquire(options, call)
      const method = methodOf(served, context, options, call)
      const chunks = method(valid, call) as AsyncIterable<never>
      const reported = isGenerated ? withUsageReport(withoutEmpty(chunks), options, observed) : chunks
      yield* streamUntilAborted(reported, call.signal)
      observed.succeed()
    } catch (error) {
      throw observed.fail(toCallError(error, context, call))
    } finally {
      release?.()
      observed.end()
      end()
    }
  }

/** Adds the origin to an error. Errors whose message refers to the log are passed to `onFailure`. */
const toCallError = (error: unknown, { origin, onFailure }: ServingContext, call: Call): unknown => {
  const callError = withOrigin(error, origin)
  if (isSallyportError(callError) && refersToLog(callError)) onFailure(callError, call)
  return callError
}

/** Passes the chunks on and reports the usage of all choices at the end. */
async function* withUsageReport<Chunk extends GenerationChunk>(
  chunks: AsyncIterable<Chunk>,
  { onUsage }: CallOptions,
  observed: ObservedCall,
): AsyncGenerator<Chunk> {
  const usages: Usage[] = []
  for await (const chunk of chunks) {
    if (!('finish' in chunk)) observed.token()
    else if (chunk.usage) usages.push(chunk.usage)
    yield chunk
  }
  const usage = usageOfChoices(usages)
  if (usage) observed.usage(onUsage)(usage)
}

const methodOf = (
  { capability, name }: CapabilityMethod,
  context: ServingContext,
  options: CallOptions,
  call: Call,
): Method => {
  const service = guardedService(capability, context, options, call)
  const method = service[name]
  if (!method) throw failure('unsupported', { problem: `this model does not offer ${capability.name}.${name}` })
  return method.bind(service)
}
