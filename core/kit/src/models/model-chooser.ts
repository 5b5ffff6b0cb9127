import { setTimeout as sleep } from 'node:timers/promises'
import { failure, isSallyportError, namedModel } from '@sallyport/core'
import type { Capability, Kernel, ModelOpener, ModelReference, ModelSpec, Served } from '@sallyport/core'

/** The model of a detector. It may restart, so `model` is called for each request. */
export interface ChosenModel<Service extends object> {
  readonly model: () => Served<Service>
  /** Its id or its source, for messages. */
  readonly name: string
}

/** Finds or loads the model that the option `model` of a detector names. */
export class ModelChooser<Service extends object> {
  private readonly stopping = new AbortController()
  private own: Kernel | undefined

  constructor(
    private readonly capability: Capability<Service>,
    private readonly spec: ModelSpec,
    private readonly kernel: Kernel,
    private readonly opener: ModelOpener,
  ) {}

  /**
   * Waits until another model has loaded, as models load concurrently, or loads one for this detector alone.
   * @param model the id or alias of another model, or a source: a repository of the hub, or a path
   * @param options those of the backend `onnx`, for a model that is loaded from its source
   * @throws model_invalid where it names no other model with the capability, model_files
   */
  async open(model: string, options: object = {}): Promise<ChosenModel<Service>> {
    const { capability, kernel, spec } = this
    if (!isSource(model, kernel, capability)) {
      const other = namedModel(kernel, referenceTo(model, spec), capability)
      while (kernel.state === 'starting' && kernel.modelState(model) === 'loading') await sleep(pollIntervalMs)
      return { model: other, name: model }
    }
    const own = (this.own = await this.load(model, options))
    if (!own.describe(capability, spec.id)) throw this.unsuitable(model, own.models()[0]?.capabilities ?? [])
    return { model: () => own.get(capability, spec.id), name: model }
  }

  /** Stops a model that was loaded for the detector. */
  async stop(): Promise<void> {
    this.stopping.abort(failure('not_ready', { state: 'draining' }))
    await this.own?.stop()
  }

  private async load(source: string, options: object): Promise<Kernel> {
    const { id } = this.spec
    if (!this.opener.has('onnx'))
      throw failure('model_invalid', { model: id, problem: 'it needs the plugin @sallyport/onnx: add it to plugins' })
    try {
      return await this.opener.open({ [id]: { backend: 'onnx', source, options } }, this.stopping.signal)
    } catch (error) {
      if (!isSallyportError(error) || error.code !== 'model_files') throw error
      const details = error.details as { model: string; problem: string }
      if (!lacksGraph.test(details.problem)) throw error
      const problem = `${details.problem}. ${exportAdvice(source)}`
      throw failure('model_files', { ...details, problem }, { cause: error.cause })
    }
  }

  private unsuitable(model: string, capabilities: readonly string[]) {
    const problem =
      `its option model names ${model}, which offers ${capabilities.join(', ')}: ` +
      `the detector needs a model with ${this.capability.name}`
    return failure('model_invalid', { model: this.spec.id, problem, option: ['model'] })
  }
}

/** How the store says that a repository or folder has no graph. */
const lacksGraph = /(?:has no file|needs a file beside it:) model \(/

const exportAdvice = (source: string): string => {
  const repository = /^hf:([^/]+\/[^/@]+)/.exec(source)?.[1]
  return repository === undefined
    ? 'Export the model into this folder: optimum-cli export onnx --model FOLDER_OR_REPOSITORY .'
    : `Export it, and name the folder instead: optimum-cli export onnx --model ${repository} ./${repository.split('/')[1] ?? ''}`
}

/** The time between two checks of whether a model is loaded. */
const pollIntervalMs = 20

/** Whether it is a source as in `models.<id>.source`, and no model's name; ids of the catalogue are names. */
const isSource = (model: string, kernel: Kernel, capability: Capability): boolean =>
  /^hf:|[/\\]|^~/.test(model) && !kernel.describe(capability, model)

const referenceTo = (name: string, { id }: ModelSpec): ModelReference => ({ id, name, option: ['model'] })

/**
 * Validates the option `model` for `sallyport check`; sources are looked up when the server starts.
 * @throws model_invalid where it names no other model with the capability
 */
export const checkChosenModel = (capability: Capability, spec: ModelSpec, kernel: Kernel): void => {
  const { model } = spec.options as { readonly model?: string | null }
  if (model && !isSource(model, kernel, capability)) namedModel(kernel, referenceTo(model, spec), capability)
}
