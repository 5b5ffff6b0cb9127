import { inject, injectable, kernel, modelSpec, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { injection } from '@sallyport/checks'
import { windowClassifier } from '../models.js'
import { ThreadedReader } from '../threaded-reader.js'
import { InjectionDetector } from './detector.js'
import type { InjectionOptions } from './options.js'
import { createReader } from './reader.js'

@injectable()
export class InjectionBackend implements ModelBackend {
  private reader: { close(): Promise<void> } | undefined

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<InjectionOptions>,
    @inject(kernel) private readonly kernel: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const { model, labels, ngrams, window, ignore } = options
    const classifierSource = model && { spec: this.spec, model, labels: [labels.attack, labels.planted] }
    const classifier = classifierSource && (await windowClassifier(classifierSource, this.kernel))
    const readerOptions = { ...(model && { model }), ngrams, window, ignore }
    const reader = await ThreadedReader.of(readerOptions, createReader, new URL('./reader.js', import.meta.url))
    this.reader = reader
    const detector = new InjectionDetector({ reader, options, ...(classifier && { classifier }) })
    return { provides: [provide(injection, detector)], descriptor: { description: descriptionOf(options) } }
  }

  async stop(): Promise<void> {
    await this.reader?.close()
  }
}

const descriptionOf = ({ model, ngrams }: InjectionOptions): string => {
  const classifiers = [...(ngrams ? ['n-grams'] : []), ...(model ? [`the model ${model}`] : [])]
  return `Detects prompt injection by rules${classifiers.length > 0 ? `, ${classifiers.join(' and ')}` : ''}.`
}
