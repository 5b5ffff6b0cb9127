import { inject, injectable, kernel, modelOpener, modelSpec, provide, textClassification } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelOpener, ModelSpec } from '@sallyport/core'
import type { TextClassificationCapability } from '@sallyport/core'
import { factuality } from '@sallyport/checks'
import { ModelChooser } from '@sallyport/kit/models'
import { modelFolder } from '../files.js'
import { isModel, loadTokenizer } from '../models.js'
import type { Classifier } from '../models.js'
import { CrossEncoder, isCrossEncoder } from './cross-encoder.js'
import { FactualityDetector } from './detector.js'
import { EntailmentModel } from './entailment.js'
import { defaultLabel, withDefaults } from './options.js'
import type { FactualityOptions } from './options.js'
import { FactualityModel } from './model.js'
import { lexicalSupport } from './support-model.js'
import type { SupportModel } from './support-model.js'

@injectable()
export class FactualityBackend implements ModelBackend {
  private readonly classifiers: ModelChooser<TextClassificationCapability>

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<FactualityOptions>,
    @inject(kernel) private readonly kernel: Kernel,
    @inject(modelOpener) opener: ModelOpener,
  ) {
    this.classifiers = new ModelChooser(textClassification, spec, kernel, opener)
  }

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const tokenizer = await loadTokenizer()
    const overlap = await FactualityModel.load(modelFolder, tokenizer)
    const classifier = options.model ? await this.classifiers.open(options.model) : undefined
    const support = classifier
      ? await this.supportBy(classifier, new CrossEncoder(classifier, tokenizer, overlap))
      : lexicalSupport(overlap)
    const detector = new FactualityDetector({
      overlap,
      support,
      options: withDefaults(options, support.operatingPoint),
    })
    return {
      provides: [provide(factuality, detector)],
      descriptor: { description: `Detects claims that a reference does not support, by ${support.means}.` },
    }
  }

  async stop(): Promise<void> {
    await this.classifiers.stop()
  }

  /** Tries the model once, whose name and labels tell what it is. What was measured with `claims` holds for no other. */
  private async supportBy(classifier: Classifier, crossEncoder: CrossEncoder): Promise<SupportModel> {
    const { model, labels: names } = this.spec.options
    const { labels } = await classifier.model().classify({ inputs: [{ text: 'a', pair: 'a' }] })
    const scores = labels[0] ?? []
    const isOwn = isModel(this.kernel, model, 'claims') && names.entailment === defaultLabel
    return isOwn && isCrossEncoder(scores) ? crossEncoder : EntailmentModel.of(classifier, names.entailment, scores)
  }
}
