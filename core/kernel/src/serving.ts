/** Turns a model's raw service into what `kernel.get` hands out: guarded, bounded in time, complete. */

import { chat, completion, embedding, rerank, cameFrom, failure, isSallyportError } from '@sallyport/core'
import type {
  AnyShape,
  Call,
  Usage,
  Capability,
  MethodDeclaration,
  ChatCapability,
  CompletionCapability,
  EmbeddingCapability,
  EmbeddingResult,
  GenerationOptions,
  RerankCapability,
  ErrorOrigin,
  CallOptions,
  Served,
} from '@sallyport/core'
import { guard } from '@sallyport/guard'
import type { GuardContext } from '@sallyport/guard'
import { collect, totalUsage } from '@sallyport/kit/generation'
import type { SchemaChecker } from '@sallyport/kit/schemas'
import { streamUntilAborted, untilAborted } from '@sallyport/kit/async'
import type { CallTracker } from './calls.js'
import { inParts } from './embedding-parts.js'
import { withChoices, withEcho, withoutEmpty } from './generation.js'
import type { GenerationChunk, GenerationRequest, GenerationStream } from './generation.js'
import { withDocuments } from './reranking.js'
import { checkGeneration } from './generation-limits.js'
import { checkOptions, soundRequest } from './sound-requests.js'
import { withSoundPieces } from './sound-pieces.js'
import { withOneLength, withSoundVectors } from './sound-vectors.js'
import { structuredChat } from './structured/structured-chat.js'
import { withUsage } from './usage.js'
import type { UsageCounter } from './usage.js'

/** What serving needs to know at the time of each call. */
export interface ServingContext {
  readonly calls: CallTracker
  /** Whose code the service is, for the log. */
  readonly origin: string
  /** The same for errors. */
  readonly source: ErrorOrigin
  /** The model's service now. @throws not_ready, model_unavailable */
  readonly service: () => object
  /** Undefined where the model has no tokenizer. */
  readonly usageCounter: () => UsageCounter | undefined
  /** For what requests say that answers must be. */
  readonly schemas: SchemaChecker
  readonly guardContext: (options: CallOptions, call: Call) => GuardContext
  /** Hears of failures whose message says that the log has the details. */
  readonly onFailure: (error: Error, call: Call) => void
}

type Method = (request: unknown, call: Call) => unknown
type Streamed = (request: unknown, options?: CallOptions) => AsyncIterable<never>

export const serveCapability = <Service extends object>(
  capability: Capability<Service>,
  context: ServingContext,
): Served<Service> => {
  const methods = Object.entries(capability.methods).map(([name, declaration]) => [
    name,
    (declaration.kind === 'stream' ? streamMethod : callMethod)({ capability, name, declaration }, context),
  ])
  const served = Object.fromEntries(methods) as Record<string, unknown>
  if (isGeneration(capability)) {
    const stream = served['stream'] as Streamed
    served['generate'] = (request: unknown, options?: CallOptions) => collect(stream(request, options))
  }
  return served as Served<Service>
}

const isGeneration = ({ name }: Capability) => name === chat.name || name === completion.name

/** The service with everything around it that the call asks for. */
const prepared = (
  capability: Capability,
  context: ServingContext,
  options: CallOptions,
  call: Call,
): Record<string, Method> => {
  const service = completed(capability, context.service(), context)
  const guardContext = context.guardContext(options, call)
  const guarded = <Service extends object>(inner: Service) =>
    guard<Service>(capability as Capability<Service>, inner, guardContext)
  const whole: object =
    capability.name === chat.name
      ? structuredChat(service as ChatCapability, guarded<ChatCapability>, context.schemas, replacing(guardContext))
      : guarded(service)
  return whole as Record<string, Method>
}

/** What clients are told of a check that may replace something. */
const replacing = ({ checks }: GuardContext): string | undefined =>
  [...checks.input, ...checks.output].find(({ policy }) => policy.action === 'replace')?.definition.message

/** What the kernel does so that backends need not. */
const completed = ({ name, methods }: Capability, service: object, context: ServingContext): object => {
  if (name === chat.name) {
    const backend = service as ChatCapability
    return { stream: withUsage(withChoices(withSoundPieces(backend.stream.bind(backend))), context.usageCounter()) }
  }
  if (name === completion.name) {
    const backend = service as CompletionCapability
    return {
      stream: withEcho(withUsage(withChoices(withSoundPieces(backend.stream.bind(backend))), context.usageCounter())),
    }
  }
  if (name === embedding.name) {
    const backend = service as EmbeddingCapability
    const { origin } = context
    return { embed: withOneLength(inParts(withSoundVectors(backend.embed.bind(backend), origin)), origin) }
  }
  if (name === rerank.name) {
    const backend = service as RerankCapability
    return { rerank: withDocuments(backend.rerank.bind(backend)) }
  }
  return withStreams(methods, service as Record<string, Method>)
}

/** Streams of other capabilities whose requests ask for several choices, by their shapes. */
const withStreams = (methods: Capability['methods'], service: Record<string, Method>): object => {
  const several = Object.entries(methods).filter(
    ([name, { kind, request, result }]) =>
      kind === 'stream' && name in service && hasMember(request, 'n?') && hasMember(result, 'choice?'),
  )
  if (!several.length) return service
  const streams = several.map(([name]) => {
    const method = (service[name] as Method).bind(service) as GenerationStream<GenerationRequest, GenerationChunk>
    return [name, withChoices(method)] as const
  })
  const others = Object.keys(methods).flatMap((name) => {
    const method = service[name]
    return method ? [[name, method.bind(service)] as const] : []
  })
  return Object.fromEntries<Method | GenerationStream<GenerationRequest, GenerationChunk>>([...others, ...streams])
}

/** Of the ranges of generation, the one that holds for every stream. */
const onlyCount = ({ n }: GenerationOptions): GenerationOptions => (n === undefined ? {} : { n })

const hasMember = (shape: AnyShape, name: string): boolean => typeof shape === 'object' && name in shape

/** A method that is served. */
interface ServedMethod {
  readonly capability: Capability
  readonly name: string
  readonly declaration: MethodDeclaration
}

const callMethod =
  (served: ServedMethod, context: ServingContext) =>
  async (request: unknown, options: CallOptions = {}) => {
    checkOptions(options)
    const asked = soundRequest(served.declaration, request)
    const { call, end } = context.calls.open(options)
    try {
      const method = methodOf(served, context, options, call)
      const result = await untilAborted(Promise.resolve(method(asked, call)), call.signal)
      if (served.capability.name === embedding.name)
        options.onUsage?.({ promptTokens: (result as EmbeddingResult).promptTokens })
      return result
    } catch (error) {
      throw reported(error, context, call)
    } finally {
      end()
    }
  }

const streamMethod = (served: ServedMethod, context: ServingContext) =>
  async function* (request: unknown, options: CallOptions = {}): AsyncGenerator {
    checkOptions(options)
    const asked = soundRequest(served.declaration, request)
    const isChunks = isGeneration(served.capability)
    if (isChunks) checkGeneration(asked as GenerationOptions)
    else if (hasMember(served.declaration.request, 'n?')) checkGeneration(onlyCount(asked as GenerationOptions))
    const { call, end } = context.calls.open(options)
    try {
      const method = methodOf(served, context, options, call)
      const pieces = method(asked, call) as AsyncIterable<never>
      yield* streamUntilAborted(isChunks ? told(withoutEmpty(pieces), options) : pieces, call.signal)
    } catch (error) {
      throw reported(error, context, call)
    } finally {
      end()
    }
  }

const reported = (error: unknown, { source, onFailure }: ServingContext, call: Call): unknown => {
  const known = cameFrom(error, source)
  if (isSallyportError(known) && (known.code === 'internal' || known.code === 'invalid_backend_result'))
    onFailure(known, call)
  return known
}

/** The same pieces; what they took is told when the last choice has ended. */
async function* told<Chunk extends GenerationChunk>(
  pieces: AsyncIterable<Chunk>,
  { onUsage }: CallOptions,
): AsyncGenerator<Chunk> {
  const usages: Usage[] = []
  for await (const piece of pieces) {
    if ('finish' in piece && piece.usage) usages.push(piece.usage)
    yield piece
  }
  const usage = totalUsage(usages)
  if (usage) onUsage?.(usage)
}

const methodOf = (
  { capability, name }: ServedMethod,
  context: ServingContext,
  options: CallOptions,
  call: Call,
): Method => {
  const service = prepared(capability, context, options, call)
  const method = service[name]
  if (!method) throw failure('unsupported', { problem: `this model does not offer ${capability.name}.${name}` })
  return method.bind(service)
}
