import { setTimeout as sleep } from 'node:timers/promises'
import { failure, isSallyportError, otherModel, textClassification } from '@sallyport/core'
import type { Kernel, ModelOpener, ModelSpec, Served, TextClassificationCapability } from '@sallyport/core'
import { modelFolder } from './files.js'
import { WindowClassifier } from './classifiers/window-classifier.js'
import { WordPieceTokenizer } from './classifiers/wordpiece.js'

/** The tokenizer of the model `guard`, in whose subwords windows are measured. */
export const loadTokenizer = (): Promise<WordPieceTokenizer> =>
  WordPieceTokenizer.load(new URL('guard/tokenizer.json', modelFolder))

/** A loaded model with text-classification. It may restart, so `model` is called for each request. */
export interface Classifier {
  readonly model: () => Served<TextClassificationCapability>
  /** Its id or its source, for messages. */
  readonly name: string
}

/** Finds or loads the classifier of one detector. */
export class ClassifierOpener {
  private readonly stopping = new AbortController()
  private own: Kernel | undefined

  constructor(
    private readonly spec: ModelSpec,
    private readonly kernel: Kernel,
    private readonly opener: ModelOpener,
  ) {}

  /**
   * Waits until another model has loaded, as models load concurrently, or loads one for this detector alone.
   * @param model the id or alias of another model, or a source: a repository of the hub, or a path
   * @throws model_invalid where it names no other model with text-classification, model_files
   */
  async open(model: string): Promise<Classifier> {
    if (!isSource(model, this.kernel)) {
      const other = classifierOf(this.spec, model, this.kernel)
      while (this.kernel.state === 'starting' && this.kernel.modelState(model) === 'loading')
        await sleep(pollIntervalMs)
      return { model: other, name: model }
    }
    const own = (this.own = await this.load(model))
    const { id } = this.spec
    if (!own.describe(textClassification, id)) throw this.unsuitable(model, own.models()[0]?.capabilities ?? [])
    return { model: () => own.get(textClassification, id), name: model }
  }

  /** Stops a model that was loaded for the detector. */
  async stop(): Promise<void> {
    this.stopping.abort(failure('not_ready', { state: 'draining' }))
    await this.own?.stop()
  }

  private async load(source: string): Promise<Kernel> {
    const { id } = this.spec
    if (!this.opener.has('onnx'))
      throw failure('model_invalid', { model: id, problem: 'it needs the plugin @sallyport/onnx: add it to plugins' })
    try {
      return await this.opener.open({ [id]: { backend: 'onnx', source } }, this.stopping.signal)
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
      'the detector needs a model that gives texts labels (text-classification)'
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

/** Makes the classifier of windows, and tries it once. @throws model_invalid where it lacks the first label */
export const windowClassifier = async (
  { model, name }: Classifier,
  labels: readonly string[],
): Promise<WindowClassifier> => {
  const classifier = new WindowClassifier(model, labels, name)
  await classifier.check()
  return classifier
}

/** The time between two checks of whether a model is loaded. */
const pollIntervalMs = 20

/** Whether it is a source as in `models.<id>.source`, and no model's name; ids of the catalogue are names. */
const isSource = (model: string, kernel: Kernel): boolean =>
  /^hf:|[/\\]|^~/.test(model) && !kernel.describe(textClassification, model)

/** @throws model_invalid where the option names no other model with text-classification */
const classifierOf = ({ id, files }: ModelSpec, model: string, kernel: Kernel) =>
  otherModel(kernel, { id, files, options: { model } }, 'model', textClassification)

/** Validates the option `model` for `sallyport check`; sources are looked up when the server starts. */
export const checkClassifier = (spec: ModelSpec, kernel: Kernel): void => {
  const { model } = spec.options as { readonly model?: string | null }
  if (model && !isSource(model, kernel)) classifierOf(spec, model, kernel)
}
