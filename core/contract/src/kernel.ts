import type { Call, Capability } from './capabilities/index.js'
import type { Usage } from './capabilities/call.js'
import type { ChatCapability, ChatRequest, ChatResult } from './capabilities/chat.js'
import type { CompletionCapability, CompletionRequest, CompletionResult } from './capabilities/completion.js'
import type { CallerPolicyEntry } from './config.js'
import type { CallerSafeguards, Verdict } from './policy.js'
import type { ModelDescriptor } from './plugin/model.js'

/** What a caller of the kernel may say about a call; the kernel fills in the rest. */
export interface CallOptions extends Partial<Call> {
  readonly safeguards?: CallerSafeguards
  /** Names of policies that hold beside the model's: of every check, the stricter one. */
  readonly policies?: readonly string[]
  /** Told once the input checks have passed: what comes is the model's. */
  readonly onInputPassed?: () => void
  /** Hears what each check decided, as it is decided. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Told how many tokens a call took, where that is known, before its end. */
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

export type KernelState = 'starting' | 'ready' | 'draining' | 'stopped'

export type ModelState = 'loading' | 'ready' | 'restarting' | 'failed' | 'stopped'

/** What a backend can say of itself once it is loaded. */
export type ReportState = (state: Exclude<ModelState, 'loading' | 'stopped'>) => void

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
  /** Names of the policies of the configuration. */
  readonly policies: ReadonlySet<string>
  /** How the checks run that callers ask for. */
  readonly callerPolicy: CallerPolicyEntry
  /** The models, or those of one capability; the first is the default. */
  models(capability?: Capability): readonly ModelDescriptor[]
  /** The model (id or alias) that `get` takes; undefined where there is none. */
  describe(capability: Capability, model: string): ModelDescriptor | undefined
  modelState(id: string): ModelState | undefined
  /** Refuse new calls, finish running ones until the signal is aborted. */
  drain(signal?: AbortSignal): Promise<void>
  /** Frees everything. Drain first where that matters. */
  stop(): Promise<void>
}
