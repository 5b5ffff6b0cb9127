import { chat, completion, embedding, failure, rerank } from '@sallyport/core'
import type {
  RequestedChecks,
  CallOptions,
  Capability,
  Kernel,
  Logger,
  ModelDescriptor,
  SallyportError,
  Served,
  Usage,
  Verdict,
} from '@sallyport/core'
import type { OutboundFetch } from '@sallyport/outbound'
import type { Identity } from '../auth/credential.js'
import { RequestImages } from '../body/images.js'
import type { ReadImage } from '../body/images.js'
import type { Dialect } from '../dialects/dialect.js'
import { newId } from '../dialects/values.js'
import type { Envelope } from '../dialects/values.js'
import type { ServerOptions } from '../options.js'
import type { Charge } from '../quotas/charge.js'
import { metered } from '../quotas/metered.js'
import type { ResponseStore } from '../response-store/response-store.js'
import { specificationChecks } from '../safeguards/specification-checks.js'
import type { Upload } from '../upload/uploads.js'
import { findModel } from '../safeguards/detectors.js'
import type { Route } from './route.js'

/** The context of a request besides its body. */
export interface ExchangeContext {
  readonly kernel: Kernel
  readonly options: ServerOptions
  readonly dialect: Dialect
  readonly identity: Identity
  /** Names of the policies of the route and of the key. */
  readonly policies: readonly string[]
  readonly requestId: string
  /** The trace of the request, for the calls that it makes. */
  readonly trace: CallOptions['trace']
  readonly logger: Logger
  /** Whether the answer shall say what the safeguards decided. */
  readonly receipt: boolean
  /** The uploaded file and the checks that its headers request; absent where the request has a JSON body. */
  readonly upload: Upload | undefined
  /** Aborted when the client disconnects, or its key is revoked, changed or expires. */
  readonly signal: AbortSignal
  readonly params: Readonly<Record<string, string>>
  /** What the last byte of the answer waits for; absent where it need not wait. */
  readonly beforeEnd: ((error?: unknown) => Promise<void>) | undefined
  /** The routes that are served now. */
  readonly served: () => readonly Route[]
  /** The OpenAPI document of the routes that are served now. */
  readonly document: () => object
  /** The stored responses; absent where none are stored. */
  readonly responses: ResponseStore | undefined
  /** Fetches the URLs of images; absent where that is not allowed. */
  readonly fetch: OutboundFetch | undefined
  /** What the request uses of its caller's quota; absent for requests that use nothing of it. */
  readonly charge: Charge | undefined
  /** Reserves memory for what the request needs besides its body. @throws overloaded */
  readonly reserve: (bytes: number) => void
}

const generatingNames: ReadonlySet<string> = new Set([chat.name, completion.name])

/** The capabilities whose calls report their tokens. */
const countedNames: ReadonlySet<string> = new Set([...generatingNames, embedding.name, rerank.name])

/** A model of a capability, ready to be called. */
export interface ChosenModel<Service> {
  readonly descriptor: ModelDescriptor
  readonly service: Served<Service>
}

/** One request as the handlers see it. */
export class Exchange {
  /** What the safeguards decided so far. */
  readonly verdicts: Verdict[] = []
  /** The tokens of the calls that have ended, for the log. */
  usage: { readonly promptTokens: number; readonly completionTokens?: number } | undefined
  /** Whether a model was chosen whose calls pass the safeguards. */
  guarded = false
  /** The model that answers, for the log. */
  model: string | undefined
  /** The checks that the body, and its headers, request. */
  safeguards: RequestedChecks | undefined
  /** Translates the kernel's field paths to those of the body. */
  wireField: (path: string) => string = (path) => path
  /** Resolves when the input checks of every call of the request have passed. */
  readonly inputPassed: Promise<void>
  private pass: () => void = () => undefined

  constructor(readonly context: ExchangeContext) {
    this.inputPassed = new Promise((resolve) => (this.pass = resolve))
  }

  /** The models that the caller may use, of one capability or of all; the first is the default. */
  models(capability?: Capability): readonly ModelDescriptor[] {
    const { kernel, identity } = this.context
    const models = kernel.models(capability)
    if (!identity.models) return models
    const allowed = new Set(identity.models)
    return models.filter(({ id, aliases }) => [id, ...aliases].some((name) => allowed.has(name)))
  }

  /**
   * The named model, or the capability's default one. A model that the caller may not use counts as unknown.
   * @throws model_not_found, which says whether the model is unknown or lacks the capability; capability_missing;
   * rate_limited and quota_exceeded where the model may use more than the caller has left
   */
  choose<Service extends object>(capability: Capability<Service>, name?: string): ChosenModel<Service> {
    const models = this.models(capability)
    const descriptor = name === undefined ? models[0] : findModel(models, name)
    if (!descriptor) throw this.modelNotFound(capability.name, name, models)
    this.model = descriptor.id
    this.guarded ||= capability.guarded === true
    const service = this.context.kernel.get(capability, descriptor.id)
    return { descriptor, service: this.charged(capability, descriptor, service) }
  }

  /** Holds what the model may use, of capabilities whose tokens are counted. */
  private charged<Service extends object>(
    { name }: Capability<Service>,
    { id, contextLength }: ModelDescriptor,
    service: Served<Service>,
  ): Served<Service> {
    const { charge, dialect, options } = this.context
    charge?.names(id)
    if (!charge || !countedNames.has(name)) return service
    const { maxTokens, v1MaxTokens } = options.completions
    const length = contextLength === undefined ? {} : { contextLength }
    const defaults =
      name === completion.name ? { defaultTokens: dialect.name === 'openai' ? v1MaxTokens : maxTokens } : {}
    charge.reserve({ id, ...length, generates: generatingNames.has(name), ...defaults })
    return generatingNames.has(name) ? metered(service, (characters) => charge.writes(characters)) : service
  }

  /** @param candidates the models that offer the capability */
  modelNotFound(capability: string, name: string | undefined, candidates: readonly ModelDescriptor[]): SallyportError {
    const exists = name !== undefined && findModel(this.models(), name)
    const model = exists ? `${name} (it exists, but does not offer ${capability})` : (name ?? capability)
    return failure('model_not_found', { model, available: candidates.map(({ id }) => id) })
  }

  /**
   * Converts a body that may hold images, those that it names by URL included.
   * @param convert is run again when the images have been fetched
   * @throws unsupported, which names the models that read images, where there are some and the model reads none
   */
  withImages<Request>(
    capability: Capability,
    { id, features }: ModelDescriptor,
    field: string,
    convert: (read: ReadImage) => Request,
  ): Promise<Request> {
    const { kernel, signal } = this.context
    return new RequestImages(this.context).complete(convert, async () => {
      if (features.image) return
      // What a model that was never loaded can do is known when it is.
      if (kernel.modelState(id) === 'unloaded') await kernel.loadModel(id, signal)
      if (kernel.describe(capability, id)?.features.image) return
      const readers = this.models(capability).filter((model) => model.features.image)
      const others = readers.length ? `these do: ${readers.map((model) => model.id).join(', ')}` : 'no loaded one does'
      throw failure('unsupported', { field, problem: `the model ${id} reads no images; ${others}` })
    })
  }

  /** The fields with which the answer begins. */
  envelope(prefix: string, object: string, model?: string): Envelope {
    const created = Math.floor(Date.now() / 1000)
    return { id: newId(prefix), object, created, ...(model === undefined ? {} : { model }) }
  }

  /**
   * The options of the kernel calls that the request makes, requested checks included.
   * @param calls how many calls the request makes
   * @throws safeguard_unavailable for a check of the specification that no plugin brings
   */
  callOptions(calls = 1): CallOptions {
    const { safeguards } = this
    if (safeguards) this.requireChecks(safeguards)
    const { signal, requestId, trace, identity, policies } = this.context
    let passed = 0
    return {
      onInputPassed: () => {
        this.context.charge?.works()
        passed += 1
        if (passed === calls) this.pass()
      },
      signal,
      requestId,
      trace,
      tenant: identity.tenant,
      policies,
      onVerdict: (verdict) => this.verdicts.push(verdict),
      onUsage: (usage) => this.count(usage),
      ...(safeguards ? { safeguards } : {}),
    }
  }

  /** A check that is asked for must not be left out. */
  private requireChecks(safeguards: RequestedChecks): void {
    const { checks } = this.context.kernel
    for (const { check, stage, definition } of specificationChecks)
      for (const requested of [safeguards.input, safeguards.output])
        if (requested?.[check] && !checks.has(check)) {
          const { order } = definition.check
          this.verdicts.push({ check, stage, order, verdict: 'unavailable', mode: 'enforce', latency: 0 })
          throw failure('safeguard_unavailable', { name: check })
        }
  }

  private count({ promptTokens, completionTokens }: Pick<Usage, 'promptTokens'> & Partial<Usage>): void {
    this.context.charge?.uses(promptTokens, completionTokens ?? 0)
    const { promptTokens: prompt = 0, completionTokens: before } = this.usage ?? {}
    const generates = before !== undefined || completionTokens !== undefined
    this.usage = {
      promptTokens: prompt + promptTokens,
      ...(generates ? { completionTokens: (before ?? 0) + (completionTokens ?? 0) } : {}),
    }
  }
}
