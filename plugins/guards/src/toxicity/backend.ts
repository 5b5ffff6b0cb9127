import { inject, injectable, kernel, modelSpec, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { toxicity } from '@sallyport/checks'
import { windowClassifier } from '../models.js'
import { toxicFamilies } from '../rules/toxic/index.js'
import { ThreadedReader } from '../threads/threaded-reader.js'
import { ToxicityDetector } from './detector.js'
import type { ToxicityOptions } from './options.js'
import { readerOf } from './parts.js'
import type { ReaderOptions } from './parts.js'
import type { LedText, ReadText } from './reader.js'

/** A detector of toxic text, composed with a classifier. */
@injectable()
export class ToxicityBackend implements ModelBackend {
  private reader: ThreadedReader<ReaderOptions, LedText, ReadText> | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<ToxicityOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const { model, labels: named, window } = options
    const labels = [named.toxic, ...Object.keys(named.categories)]
    const classifier = await windowClassifier({ spec: this.spec, model, labels }, this.models)
    const here = await readerOf({ window })
    this.reader = new ThreadedReader(here, new URL('./thread.js', import.meta.url), { window }, ({ text }) => text)
    const detector = new ToxicityDetector({ reader: this.reader, families: toxicFamilies, classifier, options })
    return {
      provides: [provide(toxicity, detector)],
      descriptor: { description: `Toxic text, by the model ${model} and rules.` },
    }
  }

  async stop(): Promise<void> {
    await this.reader?.close()
  }
}
