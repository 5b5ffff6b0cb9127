import { inject, injectable, kernel, modelOpener, modelSpec, provide, textClassification } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelOpener, ModelSpec } from '@sallyport/core'
import type { TextClassificationCapability } from '@sallyport/core'
import { toxicity } from '@sallyport/checks'
import { ModelChooser } from '@sallyport/kit/models'
import { isModel, windowClassifier } from '../models.js'
import { ownModel } from '../option-schemas.js'
import { ThreadedReader } from '../threaded-reader.js'
import { ToxicityDetector } from './detector.js'
import { withDefaults } from './options.js'
import type { ToxicityOptions } from './options.js'
import { createReader } from './reader.js'

@injectable()
export class ToxicityBackend implements ModelBackend {
  private reader: { close(): Promise<void> } | undefined
  private readonly classifiers: ModelChooser<TextClassificationCapability>

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<ToxicityOptions>,
    @inject(kernel) private readonly kernel: Kernel,
    @inject(modelOpener) opener: ModelOpener,
  ) {
    this.classifiers = new ModelChooser(textClassification, spec, kernel, opener)
  }

  async load(): Promise<LoadedModel> {
    const { model, labels, window } = this.spec.options
    const opened = await this.classifiers.open(model)
    const classifier = await windowClassifier(opened, [labels.toxic, ...Object.keys(labels.categories)])
    const reader = await ThreadedReader.of({ window }, createReader, new URL('./reader.js', import.meta.url))
    this.reader = reader
    const options = withDefaults(this.spec.options, isModel(this.kernel, model, ownModel))
    const detector = new ToxicityDetector({ reader, classifier, options })
    return {
      provides: [provide(toxicity, detector)],
      descriptor: { description: `Detects toxic text by the model ${model} and rules.` },
    }
  }

  async stop(): Promise<void> {
    await this.reader?.close()
    await this.classifiers.stop()
  }
}
