import type { Call, Capability } from './capabilities/index.js'
import type { Usage } from './capabilities/call.js'
import type { ChatCapability, ChatRequest, ChatResult } from './capabilities/chat.js'
import type { CompletionCapability, CompletionRequest, CompletionResult } from './capabilities/completion.js'
import type { CheckDeclaration, CheckKind, RequiredOptions } from './capabilities/check.js'
import type { ComparisonInspection, Origin, ReplaceMethod } from './capabilities/detector.js'
import type { ConfigInput } from './config.js'
import type { RequestedChecks, Verdict } from './policy.js'
import type { Vault } from './vault.js'
import type { ModelDescriptor } from './plugin/model.js'

/** What a caller of the kernel may say about a call; the kernel fills in the rest. */
export interface CallOptions extends Partial<Call> {
  readonly safeguards?: RequestedChecks
  /** Names of policies that apply in addition to the model's: of each check, the stricter entry. */
  readonly policies?: readonly string[]
  /** What has been replaced in the request so far, where it takes several calls; by default each call has its own. */
  readonly vault?: Vault
  /**
   * The tools of the request that run elsewhere, by name, with the label of their server; undefined for a server that
   * the operator does not know. What was replaced is put back into their arguments only where a policy lists the server.
   */
  readonly remoteTools?: ReadonlyMap<string, string | undefined>
  /** Called once the input checks have passed. Later errors come from the model or the output checks. */
  readonly onInputPassed?: () => void
  /** Called with the verdict of each check as soon as it is known. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Called with the token counts of a call before its end, if they are known. */
  readonly onUsage?: (usage: Pick<Usage, 'promptTokens'> & Partial<Usage>) => void
}

/** A method as the kernel serves it: the call's data are optional. */
type ServedMethod<Method> = Method extends (request: infer Request, call: Call) => infer Result
  ? (request: Request, call?: CallOptions) => Result
  : never

/** A capability as the kernel serves it: guarded, with deadline, `n` and usage. */
export type Served<Service> = {
  [Name in keyof Service]-?: ServedMethod<NonNullable<Service[Name]>>
} & Collected<Service>

/** The unstreamed calls, which the kernel adds: the stream, collected. */
type Collected<Service> = Service extends ChatCapability
  ? { generate(request: ChatRequest, call?: CallOptions): Promise<ChatResult> }
  : Service extends CompletionCapability
    ? { generate(request: CompletionRequest, call?: CallOptions): Promise<CompletionResult> }
    : unknown

/** A check that callers may ask for: in a request at its `stages`, and by itself with {@link Kernel.inspect}. */
export interface CheckDescription {
  /** The check's own name, or one that the operator gave it. */
  readonly name: string
  /** The name of the check itself. */
  readonly check: string
  readonly kind: CheckKind
  /** None where it lacks required options: it can then be asked for by itself only. */
  readonly stages: CheckDeclaration['stages']
  readonly order: number
  readonly message: string
  /** The lowest score that counts, 0..1. */
  readonly threshold: number
  /** Ways in which findings may be replaced; none for a check that only blocks. */
  readonly methods: readonly ReplaceMethod[]
  /** Own options that the configuration does not set: callers must set all names of one of these sets. */
  readonly required: RequiredOptions
  /** JSON Schemas of the check's own options, by their names. */
  readonly options: Readonly<Record<string, object>>
  /** Ids of the detectors that the configuration names for callers; the first that provides the check where absent. */
  readonly detectors?: readonly string[]
}

/** Options of {@link Kernel.inspect}. */
export interface InspectOptions extends CallOptions {
  /**
   * Name of the policy whose entry for the check runs, that of its input or else of its output; by default the entry for
   * callers.
   */
  readonly policy?: string
  /** Id of the detector, instead of those that the configuration names. */
  readonly model?: string
  readonly origin?: Origin
  /** The text to compare with; only for comparisons. */
  readonly reference?: string
  /** Returns the text with findings replaced in this way, instead of the findings: only `flagged` and `replaced` are then set. */
  readonly replace?: ReplaceMethod
  /** Types of findings to ignore. */
  readonly ignore?: readonly string[]
  /** The check's own options; by default those of the configuration. */
  readonly options?: Readonly<Record<string, unknown>>
}

/** The inspection of a text, with findings as spans of the original text; with `replace`, without findings and score. */
export interface Inspected extends ComparisonInspection {
  /** Whether a policy with the threshold of the configuration would act on it. */
  readonly flagged: boolean
  /** The text with findings replaced; present if requested with `replace`. */
  readonly replaced?: string
}

export type KernelState = 'starting' | 'ready' | 'draining' | 'stopped'

export type ModelState = 'unloaded' | 'loading' | 'ready' | 'restarting' | 'failed' | 'stopped'

/** A model of the configuration, and its place in memory. */
export interface ModelUse {
  readonly id: string
  readonly state: ModelState
  /** How many calls use it. */
  readonly users: number
  /** Bytes of memory that it takes or will take, as its backend estimates; 0 where it has not been looked at. */
  readonly bytes: number
  /** Minutes for which it stays loaded without use. */
  readonly keep: number | 'always'
  /** Unix milliseconds; absent for one that was never used. */
  readonly lastUsed?: number
}

/** With this, a backend reports its state once it is loaded. */
export type ReportState = (state: Exclude<ModelState, 'unloaded' | 'loading' | 'stopped'>) => void

/** The present metrics of the process, in Prometheus's text format, version 0.0.4. */
export type MetricsText = () => Promise<string>

/** Made by `createKernel`, which returns it when every model is ready; services see it earlier, while it starts. */
export interface Kernel {
  readonly state: KernelState
  /**
   * The guarded capability of a model (id or alias), or of the capability's first model.
   * @throws capability_missing, model_not_found
   */
  get<Service extends object>(capability: Capability<Service>, model?: string): Served<Service>
  /** Names of the capabilities that at least one model provides or will provide once it is loaded. */
  readonly capabilities: ReadonlySet<string>
  /** Capabilities that plugins bring and adapters serve over HTTP by their shapes: those with `http`. */
  readonly httpCapabilities: readonly Capability[]
  /** Names of the policies of the configuration. */
  readonly policies: ReadonlySet<string>
  /** The checks that callers may ask for, by name: those of the plugins, and the operator's own. */
  readonly checks: ReadonlyMap<string, CheckDescription>
  /**
   * The result of a check on a text in all its readings, as the chain would act on it: under the configuration's
   * settings for callers, or under one of its policies.
   * @throws invalid_request, capability_missing, model_not_found, what the detector throws; safeguard_unavailable for a
   *   text with more escapes than can be undone; content_blocked where a replacement would make JSON invalid
   */
  inspect(check: string, text: string, options?: InspectOptions): Promise<Inspected>
  /** The models, or those of one capability; the first is the default. */
  models(capability?: Capability): readonly ModelDescriptor[]
  /** The model (id or alias) that `get` takes; undefined where there is none. */
  describe(capability: Capability, model: string): ModelDescriptor | undefined
  modelState(id: string): ModelState | undefined
  /** The models of the configuration, and how they use memory. */
  modelUses(): readonly ModelUse[]
  /** Loads a model that is not loaded. @throws model_not_found, model_unavailable, not_ready, the signal's reason */
  loadModel(id: string, signal: AbortSignal): Promise<void>
  /** Unloads a model of the configuration. @returns false for one that is in use @throws model_not_found */
  unloadModel(id: string): Promise<boolean>
  /** Absent where no plugin collects metrics. */
  readonly metrics?: MetricsText | undefined
  /** Refuse new calls, finish running ones until the signal is aborted. */
  drain(signal?: AbortSignal): Promise<void>
  /** Frees everything. Drain first where that matters. */
  stop(): Promise<void>
}

/** Loads further models than those of the configuration, for backends that do so on demand. */
export interface ModelOpener {
  /** Whether a plugin of the configuration brings a backend. */
  has(backend: string): boolean
  /**
   * Fetches and loads models of the same plugins, from the same store, in a kernel of their own: nobody else can use
   * them, and no policy applies to them. The caller stops that kernel. The memory check does not count what the
   * configured models take.
   * @param signal aborts the start
   * @throws what `createKernel` throws
   */
  open(models: NonNullable<ConfigInput['models']>, signal: AbortSignal): Promise<Kernel>
}
