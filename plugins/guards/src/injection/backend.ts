import { inject, injectable, kernel, modelOpener, modelSpec, provide, textClassification } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelOpener, ModelSpec } from '@sallyport/core'
import type { TextClassificationCapability } from '@sallyport/core'
import { injection } from '@sallyport/checks'
import { ModelChooser } from '@sallyport/kit/models'
import { isModel, windowClassifier } from '../models.js'
import { ownModel } from '../option-schemas.js'
import { ThreadedReader } from '../threaded-reader.js'
import { InjectionDetector } from './detector.js'
import { withDefaults } from './options.js'
import type { InjectionOptions, InjectionSettings } from './options.js'
import { createReader } from './reader.js'

@injectable()
export class InjectionBackend implements ModelBackend {
  private reader: { close(): Promise<void> } | undefined
  private readonly classifiers: ModelChooser<TextClassificationCapability>

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<InjectionOptions>,
    @inject(kernel) private readonly kernel: Kernel,
    @inject(modelOpener) opener: ModelOpener,
  ) {
    this.classifiers = new ModelChooser(textClassification, spec, kernel, opener)
  }

  async load(): Promise<LoadedModel> {
    const { model, labels, window, ignore } = this.spec.options
    const opened = model ? await this.classifiers.open(model) : undefined
    const classifier = opened && (await windowClassifier(opened, [labels.attack, labels.planted]))
    const options = withDefaults(this.spec.options, isModel(this.kernel, model, ownModel))
    const { ngrams } = options
    const readerOptions = { ...(model && { model }), ngrams, window, ignore }
    const reader = await ThreadedReader.of(readerOptions, createReader, new URL('./reader.js', import.meta.url))
    this.reader = reader
    const detector = new InjectionDetector({ reader, options, ...(classifier && { classifier }) })
    return { provides: [provide(injection, detector)], descriptor: { description: descriptionOf(options) } }
  }

  async stop(): Promise<void> {
    await this.reader?.close()
    await this.classifiers.stop()
  }
}

const descriptionOf = ({ model, ngrams }: InjectionSettings): string => {
  const classifiers = [...(ngrams ? ['n-grams'] : []), ...(model ? [`the model ${model}`] : [])]
  return `Detects prompt injection by rules${classifiers.length > 0 ? `, ${classifiers.join(' and ')}` : ''}.`
}
