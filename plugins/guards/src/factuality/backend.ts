import { inject, injectable, modelSpec, provide } from '@sallyport/core'
import type { LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { factuality } from '@sallyport/checks'
import { modelFolder } from '../files.js'
import { loadTokenizer } from '../models.js'
import { FactualityDetector } from './detector.js'
import type { FactualityOptions } from './options.js'
import { FactualityModel } from './model.js'

@injectable()
export class FactualityBackend implements ModelBackend {
  constructor(@inject(modelSpec) private readonly spec: ModelSpec<FactualityOptions>) {}

  async load(): Promise<LoadedModel> {
    const model = await FactualityModel.load(modelFolder, await loadTokenizer())
    return {
      provides: [provide(factuality, new FactualityDetector(model, this.spec.options))],
      descriptor: {
        description: 'Detects claims that a reference does not support, by their overlap with its sentences.',
      },
    }
  }
}
