import {
  baseDirectory,
  failure,
  inject,
  injectable,
  kernel,
  modelSpec,
  otherModel,
  patternsInMachineCode,
  pii,
  provide,
  tokenClassification,
} from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { didYouMean } from '@sallyport/core/config'
import { stateDirectory } from '@sallyport/core/store'
import { customRecognizers } from './custom/index.js'
import { PiiDetector } from './detector.js'
import { compileRecognizer } from './matching/compiled.js'
import { defaultLabels } from './model/labels.js'
import { NameModel } from './model/names.js'
import type { PiiOptions } from './options.js'
import { recognizers } from './recognizers/index.js'
import type { Recognizer } from './recognizers/recognizer.js'
import { serverKey } from './replacement/key.js'
import { Substitutes } from './replacement/substitutes.js'

/** @throws model_invalid where the option names no other model with token-classification */
export const taggerOf = ({ id, files }: ModelSpec, model: string, models: Kernel) =>
  otherModel(models, { id, files, options: { model } }, 'model', tokenClassification)

/** A detector, composed with the model that finds names where one is configured. */
@injectable()
export class PiiBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<PiiOptions>,
    @inject(kernel) private readonly models: Kernel,
    @inject(baseDirectory) private readonly directory: string,
  ) {}

  async load(): Promise<LoadedModel> {
    patternsInMachineCode()
    const { id, options } = this.spec
    const { model, labels, key, threshold, ignore } = options
    const own = await customRecognizers(options.recognizers, this.directory).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error)
      throw failure('model_invalid', { model: id, problem }, { cause: error })
    })
    const all = [...recognizers, ...own].map(compileRecognizer)
    const entityTypes = typesOf(own, labels)
    this.refuseUnknown(ignore, entityTypes)
    const names = model ? { names: new NameModel(taggerOf(this.spec, model, this.models), labels) } : {}
    const detector = new PiiDetector({
      recognizers: all,
      ...names,
      substitutes: new Substitutes(key === undefined ? await serverKey(stateDirectory()) : Buffer.from(key), all),
      threshold,
      entities: new Set(entityTypes),
      ignore: new Set(ignore),
    })
    await warmUp(detector)
    return { provides: [provide(pii, detector)], descriptor: { description: this.description(), entityTypes } }
  }

  /** @throws model_invalid: what is misspelt would be found and replaced all the same */
  private refuseUnknown(ignored: readonly string[], known: readonly string[]): void {
    const unknown = ignored.find((type) => !known.includes(type))
    if (unknown === undefined) return
    const problem = `its option ignore names "${unknown}", which is no entity type${didYouMean(unknown, known)}`
    throw failure('model_invalid', { model: this.spec.id, problem })
  }

  private description(): string {
    const { model } = this.spec.options
    return `Personal information by ${recognizers.length} recognisers${model ? ` and the model ${model}` : '; names by their surroundings only'}.`
  }
}

/** All that may be found, by the alphabet. */
export const typesOf = (own: readonly Pick<Recognizer, 'entity'>[], labels: PiiOptions['labels'] = {}): string[] => {
  const byModel = Object.values(defaultLabels).map(({ entity }) => entity)
  const types = [...[...recognizers, ...own].map(({ entity }) => entity), ...byModel, ...Object.values(labels)]
  return [...new Set(types)].sort()
}

/** Patterns are translated when they are first used, for each way in which texts are kept. */
const warmUp = async (detector: PiiDetector): Promise<void> => {
  const call = { signal: new AbortController().signal, tenant: '' }
  for (const text of ['1 A', '1 Ω']) {
    await detector.findByPatterns(text, call)
    await detector.openSpans({ text }, call)
  }
}
