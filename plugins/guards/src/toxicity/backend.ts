import { inject, injectable, kernel, modelSpec, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { toxicity } from '@sallyport/checks'
import { windowClassifier } from '../models.js'
import { ThreadedReader } from '../threaded-reader.js'
import { ToxicityDetector } from './detector.js'
import type { ToxicityOptions } from './options.js'
import { createReader } from './reader.js'

@injectable()
export class ToxicityBackend implements ModelBackend {
  private reader: { close(): Promise<void> } | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<ToxicityOptions>,
    @inject(kernel) private readonly kernel: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const { model, labels: named, window } = options
    const labels = [named.toxic, ...Object.keys(named.categories)]
    const classifier = await windowClassifier({ spec: this.spec, model, labels }, this.kernel)
    const reader = await ThreadedReader.of({ window }, createReader, new URL('./reader.js', import.meta.url))
    this.reader = reader
    const detector = new ToxicityDetector({ reader, classifier, options })
    return {
      provides: [provide(toxicity, detector)],
      descriptor: { description: `Detects toxic text by the model ${model} and rules.` },
    }
  }

  async stop(): Promise<void> {
    await this.reader?.close()
  }
}
