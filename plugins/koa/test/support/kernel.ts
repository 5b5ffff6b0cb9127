/** Kernels of small models that the tests bring along. */

import {
  chat,
  completion,
  definePlugin,
  embedding,
  extraction,
  imageClassification,
  inject,
  injectable,
  kernel as kernelToken,
  provide,
  rerank,
  tokens,
  tools,
  transcription,
  translation,
} from '@sallyport/core'
import type {
  Call,
  Capability,
  ChatChunk,
  ChatRequest,
  CompletionChunk,
  CompletionRequest,
  ConfigInput,
  Kernel,
  LoadedModel,
  ModelBackend,
  ModelFeatures,
  PluginModel,
  Service,
  CapabilityClass,
} from '@sallyport/core'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { createKernel } from '@sallyport/kernel'
import type { KernelEnvironment } from '@sallyport/kernel'
import { tale } from '../leaks/stranger.js'

type Stream<Request, Chunk> = (request: Request, call: Call) => AsyncIterable<Chunk>

/** A model: each member of `services` is a capability, named as such. */
export interface TestModel {
  readonly id: string
  readonly aliases?: readonly string[]
  readonly features?: ModelFeatures
  readonly contextLength?: number
  readonly entityTypes?: readonly string[]
  readonly services: {
    readonly chat?: { stream: Stream<ChatRequest, ChatChunk> }
    readonly completion?: { stream: Stream<CompletionRequest, CompletionChunk> }
    readonly [capability: string]: object | undefined
  }
}

const capabilities: readonly Capability[] = [
  chat,
  completion,
  embedding,
  rerank,
  tokens,
  toxicity,
  factuality,
  injection,
  pii,
  translation,
  transcription,
  extraction,
  imageClassification,
  tools,
  tale,
]

const kernels: Kernel[] = []

// not after each test: many are made for a whole `describe`
after(() => Promise.all(kernels.splice(0).map((kernel) => kernel.stop())))

const stoppedAtTheEnd = (kernel: Kernel): Kernel => {
  kernels.push(kernel)
  return kernel
}

/** A kernel of these models, ready; stopped after all tests at the latest. */
export const testKernel = async (
  models: readonly TestModel[],
  { logger, plugins: others = [], ...config }: ConfigInput & Pick<KernelEnvironment, 'logger'> = {},
): Promise<Kernel> => {
  const own = Object.fromEntries(models.map((model) => [model.id, ownModel(model)]))
  const plugins = [definePlugin({ name: 'tests', models: own }), ...others]
  return stoppedAtTheEnd(await createKernel({ ...config, plugins }, logger ? { logger } : {}))
}

const ownModel = ({ id, services, ...described }: TestModel): PluginModel => {
  const [first, ...also] = Object.entries(services).flatMap(([name, service]) => servingOf(name, service))
  if (!first) throw new Error(`the model ${id} does nothing`)
  return { ...described, ...first, also, ownedBy: 'tests', description: `the model ${id}` }
}

const servingOf = (name: string, service: object | undefined): CapabilityClass[] => {
  const capability = capabilities.find((each) => each.name === name)
  return capability && service ? [{ capability, class: classOf(service) }] : []
}

const classOf = (methods: object): CapabilityClass['class'] => {
  class Implementation extends Object {
    constructor() {
      super()
      Object.assign(this, methods)
    }
  }
  return Implementation
}

interface StartingKernel {
  readonly kernel: Kernel
  /** Lets its model be loaded; resolves when the kernel is ready. */
  readonly finish: () => Promise<unknown>
}

/** A kernel whose one model, `loading`, takes its time. */
export const startingKernel = async (): Promise<StartingKernel> => {
  let seen: (kernel: Kernel) => void = () => undefined
  let load: () => void = () => undefined
  const kernel = new Promise<Kernel>((resolve) => (seen = resolve))
  const loaded = new Promise<void>((resolve) => (load = resolve))

  @injectable()
  class Slow implements ModelBackend {
    async load(): Promise<LoadedModel> {
      await loaded
      const stream = async function* () {
        yield await Promise.resolve({ finish: 'stop' as const })
      }
      return { provides: [provide(chat, { stream })] }
    }
  }

  @injectable()
  class Witness implements Service {
    constructor(@inject(kernelToken) starting: Kernel) {
      seen(starting)
    }
    stop() {
      return Promise.resolve()
    }
  }

  const slow = { description: 'takes its time', capabilities: [chat], class: Slow, files: 'none' } as const
  const plugin = definePlugin({ name: 'slow', backends: { slow }, services: [Witness] })
  const ready = createKernel({ plugins: [plugin], models: { loading: { backend: 'slow' } } })
  return {
    kernel: stoppedAtTheEnd(await kernel),
    finish: () => {
      load()
      return ready
    },
  }
}
