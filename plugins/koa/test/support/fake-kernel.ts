import { chat, collect, completion, failure } from '@sallyport/core'
import type {
  CallOptions,
  Capability,
  ChatChunk,
  ChatRequest,
  CompletionChunk,
  CompletionRequest,
  Kernel,
  KernelState,
  ModelDescriptor,
  ModelFeatures,
  ModelState,
  Served,
} from '@sallyport/core'

type Stream<Request, Chunk> = (request: Request, call: CallOptions) => AsyncIterable<Chunk>

/** A model of the fake kernel: each member is a capability, named as such. */
export interface FakeModel {
  readonly id: string
  readonly aliases?: readonly string[]
  readonly features?: ModelFeatures
  readonly contextLength?: number
  readonly state?: ModelState
  readonly services: {
    readonly chat?: { stream: Stream<ChatRequest, ChatChunk> }
    readonly completion?: { stream: Stream<CompletionRequest, CompletionChunk> }
    readonly [capability: string]: object | undefined
  }
}

/** A kernel without guards, deadlines or models: what the tests give it is what the adapter sees. */
export class FakeKernel implements Kernel {
  state: KernelState = 'ready'
  readonly states = new Map<string, ModelState>()

  constructor(private readonly fakes: readonly FakeModel[]) {}

  get capabilities(): ReadonlySet<string> {
    return new Set(this.fakes.flatMap(({ services }) => Object.keys(services)))
  }

  get<Service extends object>(capability: Capability<Service>, model?: string): Served<Service> {
    const fake = this.fakes.find(({ id, services }) => services[capability.name] && (model ?? id) === id)
    if (!fake) throw failure('model_not_found', { model: model ?? '', available: [] })
    const service = fake.services[capability.name]
    const generates = capability.name === chat.name || capability.name === completion.name
    return (generates ? generating(service as StreamService) : service) as Served<Service>
  }

  models(capability?: Capability): readonly ModelDescriptor[] {
    return this.fakes.filter(({ services }) => !capability || services[capability.name]).map(describe)
  }

  modelState(id: string): ModelState | undefined {
    return this.states.get(id) ?? this.fakes.find((fake) => fake.id === id)?.state ?? 'ready'
  }

  drain(): Promise<void> {
    this.state = 'draining'
    return Promise.resolve()
  }

  stop(): Promise<void> {
    this.state = 'stopped'
    return Promise.resolve()
  }
}

interface StreamService {
  stream: (request: unknown, call?: CallOptions) => AsyncIterable<ChatChunk>
}

/** Its input passes at once: there are no guards. */
const generating = ({ stream: answer }: StreamService) => {
  const stream: StreamService['stream'] = (request, call) => {
    call?.onInputPassed?.()
    return answer(request, call)
  }
  return {
    stream,
    generate: async (request: unknown, call?: CallOptions) => {
      await Promise.resolve()
      return collect(stream(request, call))
    },
  }
}

const describe = ({ id, aliases = [], features = {}, contextLength, services }: FakeModel): ModelDescriptor => ({
  id,
  aliases,
  features,
  capabilities: Object.keys(services),
  ownedBy: 'tests',
  description: `the model ${id}`,
  created: 1_700_000_000,
  ...(contextLength === undefined ? {} : { contextLength }),
})
