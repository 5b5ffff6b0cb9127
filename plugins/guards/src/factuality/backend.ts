import { inject, injectable, kernel, modelOpener, modelSpec, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelOpener, ModelSpec } from '@sallyport/core'
import { factuality } from '@sallyport/checks'
import { modelFolder } from '../files.js'
import { ClassifierOpener, loadTokenizer } from '../models.js'
import { FactualityDetector } from './detector.js'
import { EntailmentModel } from './entailment.js'
import { withDefaults } from './options.js'
import type { FactualityOptions } from './options.js'
import { FactualityModel } from './model.js'

@injectable()
export class FactualityBackend implements ModelBackend {
  private readonly classifiers: ClassifierOpener

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<FactualityOptions>,
    @inject(kernel) kernel: Kernel,
    @inject(modelOpener) opener: ModelOpener,
  ) {
    this.classifiers = new ClassifierOpener(spec, kernel, opener)
  }

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const overlap = await FactualityModel.load(modelFolder, await loadTokenizer())
    const classifier = options.model ? await this.classifiers.open(options.model) : undefined
    const entailment = classifier && (await EntailmentModel.of(classifier, options.labels.entailment))
    const detector = new FactualityDetector({
      overlap,
      options: withDefaults(options),
      ...(entailment && { entailment }),
    })
    const means = classifier ? `by the model ${classifier.name}` : 'by their overlap with its sentences'
    return {
      provides: [provide(factuality, detector)],
      descriptor: { description: `Detects claims that a reference does not support, ${means}.` },
    }
  }

  async stop(): Promise<void> {
    await this.classifiers.stop()
  }
}
