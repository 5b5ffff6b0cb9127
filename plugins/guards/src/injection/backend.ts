import { inject, injectable, kernel, modelSpec, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { injection } from '@sallyport/checks'
import { windowClassifier } from '../models.js'
import { ThreadedReader } from '../threads/threaded-reader.js'
import { InjectionDetector } from './detector.js'
import type { InjectionOptions } from './options.js'
import { familiesOf, readerOf } from './parts.js'
import type { ReaderOptions } from './parts.js'
import type { ReadView } from './reader.js'

/** A detector of attacks on instructions, composed with a classifier where one is configured. */
@injectable()
export class InjectionBackend implements ModelBackend {
  private reader: ThreadedReader<ReaderOptions, string, ReadView[]> | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<InjectionOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const { model, labels, ngrams, window, ignore } = options
    const composed = model && { spec: this.spec, model, labels: [labels.attack, labels.planted] }
    const classifier = composed && (await windowClassifier(composed, this.models))
    const setup = { ...(model && { model }), ngrams, window, ignore }
    this.reader = new ThreadedReader(
      await readerOf(setup),
      new URL('./thread.js', import.meta.url),
      setup,
      (text) => text,
    )
    const detector = new InjectionDetector({
      reader: this.reader,
      families: familiesOf(options),
      hasGrams: ngrams,
      options,
      ...(classifier && { classifier }),
    })
    return { provides: [provide(injection, detector)], descriptor: { description: descriptionOf(options) } }
  }

  async stop(): Promise<void> {
    await this.reader?.close()
  }
}

const descriptionOf = ({ model, ngrams }: InjectionOptions): string => {
  const heads = [...(ngrams ? ['n-grams'] : []), ...(model ? [`the model ${model}`] : [])]
  return `Attacks on instructions, by rules${heads.length > 0 ? `, ${heads.join(' and ')}` : ''}.`
}
