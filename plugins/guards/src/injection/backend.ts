import { inject, injectable, injection, kernel, modelSpec, provide } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { NGrams } from '../heads/ngrams.js'
import { modelFolder, windowClassifier } from '../models.js'
import { families } from '../rules/families/index.js'
import { Rules } from '../rules/match.js'
import { InjectionDetector } from './detector.js'
import type { InjectionOptions } from './options.js'

/** A detector of attacks on instructions, composed with a classifier where one is configured. */
@injectable()
export class InjectionBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<InjectionOptions>,
    @inject(kernel) private readonly models: Kernel,
  ) {}

  async load(): Promise<LoadedModel> {
    const { options } = this.spec
    const { model, labels, ngrams, window, ignore } = options
    const rules = new Rules(families.filter((family) => !ignore.includes(family.id)))
    const composed = model && { spec: this.spec, model, labels: [labels.attack, labels.planted], window }
    const detector = new InjectionDetector({
      rules,
      options,
      ...(ngrams && { ngrams: await NGrams.load(modelFolder) }),
      ...(composed && { classifier: await windowClassifier(composed, this.models) }),
    })
    return { provides: [provide(injection, detector)], descriptor: { description: descriptionOf(options) } }
  }
}

const descriptionOf = ({ model, ngrams }: InjectionOptions): string => {
  const heads = [...(ngrams ? ['n-grams'] : []), ...(model ? [`the model ${model}`] : [])]
  return `Attacks on instructions, by rules${heads.length > 0 ? `, ${heads.join(' and ')}` : ''}.`
}
