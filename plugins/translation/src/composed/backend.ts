import { inject, injectable, kernel, logger, modelSpec, provide, translation } from '@sallyport/core'
import type { Kernel, LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import { Sanity } from '../sanity/sanity.js'
import { ComposedTranslation } from './composed-translation.js'
import type { TranslationOptions } from './options.js'
import { modelsOf } from './parts.js'

/** Asks other models, which it reaches through the kernel, so their requests are guarded. */
@injectable()
export class ComposedBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<TranslationOptions>,
    @inject(kernel) private readonly models: Kernel,
    @inject(logger) private readonly logger: Logger,
  ) {}

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const parts = modelsOf(this.spec, this.models)
    const sanity = await Sanity.load(parts.embed)
    return {
      provides: [provide(translation, new ComposedTranslation(parts, sanity, options.threshold, this.logger))],
      descriptor: { description: `Translates by ${options.engines.join(', or else ')}.` },
    }
  }
}
