import { inject, injectable, kernel, modelSpec, provide, toxicity } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { windowClassifier } from '../models.js'
import { Rules } from '../rules/match.js'
import { toxicFamilies } from '../rules/toxic/index.js'
import { ToxicityDetector } from './detector.js'
import type { ToxicityOptions } from './options.js'

/** A detector of toxic text, composed with a classifier. */
@injectable()
export class ToxicityBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<ToxicityOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const { model, labels: named, window } = options
    const labels = [named.toxic, ...Object.keys(named.categories)]
    const classifier = await windowClassifier({ spec: this.spec, model, labels, window }, this.models)
    const detector = new ToxicityDetector({ rules: new Rules(toxicFamilies), classifier, options })
    return {
      provides: [provide(toxicity, detector)],
      descriptor: { description: `Toxic text, by the model ${model} and rules.` },
    }
  }
}
