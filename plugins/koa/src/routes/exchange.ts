import { failure } from '@sallyport/core'
import type {
  CallerSafeguards,
  CallOptions,
  Capability,
  Inspected,
  InspectOptions,
  Kernel,
  Logger,
  ModelDescriptor,
  Served,
  Usage,
  Verdict,
} from '@sallyport/core'
import { Pacer } from '@sallyport/kit/async'
import type { GuardedFetch } from '@sallyport/outbound'
import type { Identity } from '../auth/identity.js'
import { RequestPictures } from '../body/request-pictures.js'
import type { Dialect } from '../dialects/dialect.js'
import { isForClients } from '../dialects/errors.js'
import type { ErrorContext } from '../dialects/errors.js'
import { newId } from '../dialects/identifiers.js'
import type { Envelope, IdPrefix } from '../dialects/identifiers.js'
import type { ServerOptions } from '../options.js'
import type { ResponseStore } from '../responses/response-store.js'
import { spellings } from '../specification/spellings.js'
import type { UploadedFile } from '../upload/receive.js'
import { askedDetectors, detectorsAmong, findModel } from './find-model.js'
import type { Route } from './route.js'

/** What a request brings besides its body. */
export interface ExchangeContext {
  readonly kernel: Kernel
  readonly options: ServerOptions
  readonly dialect: Dialect
  readonly identity: Identity
  /** Names of the policies of the route and of whoever makes the request. */
  readonly policies: readonly string[]
  readonly requestId: string
  readonly logger: Logger
  /** Whether the answer shall say what the safeguards decided. */
  readonly receipt: boolean
  /** What it uploads; absent where it has a JSON body. */
  readonly upload: Upload | undefined
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal
  /** From the path. */
  readonly params: Readonly<Record<string, string>>
  /** The routes that are served now. */
  readonly served: () => readonly Route[]
  /** The OpenAPI document of the routes that are served now. */
  readonly document: () => object
  /** Responses that are kept; absent where none are. */
  readonly responses: ResponseStore | undefined
  /** What fetches addresses of the request; absent where that is not allowed. */
  readonly fetch: GuardedFetch | undefined
  /** Told of memory before it is taken for what the request brings besides its body. @throws overloaded */
  readonly hold: (bytes: number) => void
}

/** What a request with a form brings besides its fields. */
export interface Upload {
  readonly file: UploadedFile | undefined
  /** What its headers ask for. */
  readonly safeguards: CallerSafeguards | undefined
}

/** How a check is asked; the rest is the request's. */
type AskedInspection = Pick<InspectOptions, 'model' | 'origin' | 'reference' | 'replace' | 'ignore' | 'options'>

/** A model of a capability, ready to be called. */
export interface ChosenModel<Service> {
  readonly descriptor: ModelDescriptor
  readonly service: Served<Service>
}

/** One request as the handlers see it. */
export class Exchange {
  /** What the safeguards decided so far. */
  readonly verdicts: Verdict[] = []
  /** Of the calls that have ended, for the log. */
  usage: { readonly promptTokens: number; readonly completionTokens?: number } | undefined
  /** Whether a model was chosen whose calls pass the safeguards. */
  guarded = false
  /** The model that answers, for the log. */
  model: string | undefined
  /** The path in the body of what the kernel calls a field. */
  wireField: (path: string) => string = (path) => path
  /** Resolves when the input checks of every call of the request have passed. */
  readonly inputPassed: Promise<void>
  private readonly pass: () => void
  /** Gives others their turns between the texts that one request has inspected. */
  private readonly pacer: Pacer

  constructor(readonly context: ExchangeContext) {
    let resolvePassed: () => void = () => undefined
    this.inputPassed = new Promise((resolve) => (resolvePassed = resolve))
    this.pass = resolvePassed
    this.pacer = new Pacer({ signal: context.signal, tenant: context.identity.tenant })
  }

  /** The models of a capability that the caller may use, or all of them; the first is the default. */
  models(capability?: Capability): readonly ModelDescriptor[] {
    const { kernel, identity } = this.context
    const models = kernel.models(capability)
    if (!identity.models) return models
    const allowed = new Set(identity.models)
    return models.filter(({ id, aliases }) => [id, ...aliases].some((name) => allowed.has(name)))
  }

  /**
   * The named model, or the capability's default one. A model that the caller may not use is as unknown.
   * @throws model_not_found, which tells a model without the capability from one that is unknown; capability_missing
   */
  choose<Service extends object>(capability: Capability<Service>, name?: string): ChosenModel<Service> {
    const models = this.models(capability)
    const descriptor = name === undefined ? models[0] : findModel(models, name)
    if (!descriptor) {
      const model = this.shownOf(capability.name, name)
      throw failure('model_not_found', { model, available: models.map(({ id }) => id) })
    }
    this.model = descriptor.id
    this.guarded ||= capability.guarded === true
    return { descriptor, service: this.context.kernel.get(capability, descriptor.id) }
  }

  /** The name of a model that does not offer the capability, and why it was not found where it exists. */
  private shownOf(capability: string, name: string | undefined): string {
    if (name === undefined) return capability
    return findModel(this.models(), name) ? `${name} (it exists, but does not offer ${capability})` : name
  }

  /** For what is told of an error. */
  get errorContext(): ErrorContext {
    const { requestId } = this.context
    return { requestId, wireField: this.wireField }
  }

  /** Those of the request's body. */
  pictures(): RequestPictures {
    return new RequestPictures(this.context)
  }

  /** @throws unsupported, which names the models that read pictures, when this one does not */
  requirePictures(capability: Capability, { id, features }: ModelDescriptor, field: string): void {
    if (features.image) return
    const seeing = this.models(capability).filter((model) => model.features.image)
    const others = seeing.length ? `these do: ${seeing.map((model) => model.id).join(', ')}` : 'no loaded one does'
    throw failure('unsupported', { field, problem: `the model ${id} reads no pictures; ${others}` })
  }

  /** What the answer begins with. */
  envelope(prefix: IdPrefix, object: string, model?: string): Envelope {
    const created = Math.floor(Date.now() / 1000)
    return { id: newId(prefix), object, created, ...(model === undefined ? {} : { model }) }
  }

  /**
   * Asks a check about a text by itself: the detector that the caller names, or those that {@link detectors} has.
   * @throws model_not_found, safeguard_unavailable for a detector that fails, and what the kernel says of the call
   */
  async inspect(check: string, text: string, options: AskedInspection = {}): Promise<Inspected> {
    const { kernel } = this.context
    const [first] = this.detectors(check, options.model)
    const model = kernel.checks.get(check)?.detectors ? {} : { model: first.id }
    await this.pacer.pause()
    try {
      return await kernel.inspect(check, text, { ...this.call(), ...model, ...options })
    } catch (error) {
      const isOfTheCall = isForClients(error) && error.code !== 'invalid_backend_result'
      throw isOfTheCall ? error : failure('safeguard_unavailable', { name: check }, { cause: error })
    }
  }

  /**
   * Whom a check asks: the detector of that name, or else those that the configuration names for callers, or else the
   * first that the caller may use.
   * @throws model_not_found for one that the caller may not use
   */
  detectors(check: string, name?: string): readonly [ModelDescriptor, ...ModelDescriptor[]] {
    const { kernel } = this.context
    const able = detectorsAmong(this.models(), kernel, check)
    const asked = name === undefined ? askedDetectors(kernel, check, able) : [findModel(able, name)]
    const [first, ...others] = asked.filter((detector) => detector !== undefined)
    if (!first || others.length + 1 < asked.length) {
      const { check: provided = check } = kernel.checks.get(check) ?? {}
      throw failure('model_not_found', { model: this.shownOf(provided, name), available: able.map(({ id }) => id) })
    }
    this.model = [first, ...others].map(({ id }) => id).join('+')
    return [first, ...others]
  }

  /**
   * What accompanies the calls of the kernel that the request is made of.
   * @throws safeguard_unavailable for a check of the specification that no plugin brings
   */
  call(safeguards?: CallerSafeguards, calls = 1): CallOptions {
    if (safeguards) this.requireChecks(safeguards)
    const { signal, requestId, identity, policies } = this.context
    let passed = 0
    return {
      onInputPassed: () => {
        passed += 1
        if (passed === calls) this.pass()
      },
      signal,
      requestId,
      tenant: identity.tenant,
      policies,
      onVerdict: (verdict) => this.verdicts.push(verdict),
      onUsage: (usage) => this.count(usage),
      ...(safeguards ? { safeguards } : {}),
    }
  }

  /** A check that is asked for must not be left out. */
  private requireChecks(safeguards: CallerSafeguards): void {
    const { checks } = this.context.kernel
    for (const { check, stage, order } of spellings)
      for (const asked of [safeguards.input, safeguards.output])
        if (asked?.[check] && !checks.has(check)) {
          this.verdicts.push({ check, stage, order, verdict: 'unavailable', mode: 'enforce', latency: 0 })
          throw failure('safeguard_unavailable', { name: check })
        }
  }

  private count({ promptTokens, completionTokens }: Pick<Usage, 'promptTokens'> & Partial<Usage>): void {
    const { usage } = this
    const completion = (usage?.completionTokens ?? 0) + (completionTokens ?? 0)
    this.usage = {
      promptTokens: (usage?.promptTokens ?? 0) + promptTokens,
      ...(completionTokens === undefined && usage?.completionTokens === undefined
        ? {}
        : { completionTokens: completion }),
    }
  }

  /** The same for a call besides: that its input has passed says nothing of the request's. */
  apart(call: CallOptions): CallOptions {
    return { ...call, onInputPassed: () => undefined }
  }
}
