import {
  baseDirectory,
  failure,
  inject,
  injectable,
  kernel,
  modelSpec,
  otherModel,
  pii,
  provide,
  tokenClassification,
} from '@sallyport/core'
import type { Kernel, LoadedModel, ModelBackend, ModelSpec } from '@sallyport/core'
import { stateDirectory } from '@sallyport/core/store'
import { customRecognizers } from './custom/index.js'
import { PiiDetector } from './detector.js'
import { compileRecognizer } from './matching/compiled.js'
import { NameModel } from './model/names.js'
import type { PiiOptions } from './options.js'
import { recognizers } from './recognizers/index.js'
import { serverKey } from './replacement/key.js'
import { Substitutes } from './replacement/substitutes.js'

/** A detector, composed with the model that finds names where one is configured. */
@injectable()
export class PiiBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<PiiOptions>,
    @inject(kernel) private readonly models: Kernel,
    @inject(baseDirectory) private readonly directory: string,
  ) {}

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const { model, labels, key, threshold, ignore } = options
    const own = await customRecognizers(options.recognizers, this.directory).catch((error: unknown) => {
      const problem = error instanceof Error ? error.message : String(error)
      throw failure('model_invalid', { model: id, problem }, { cause: error })
    })
    const all = [...recognizers, ...own].map(compileRecognizer)
    const names = model ? { names: new NameModel(this.tagger(model), labels) } : {}
    const detector = new PiiDetector({
      recognizers: all,
      ...names,
      substitutes: new Substitutes(key === undefined ? await serverKey(stateDirectory()) : Buffer.from(key), all),
      threshold,
      ignore: new Set(ignore),
    })
    await warmUp(detector)
    return { provides: [provide(pii, detector)], descriptor: { description: this.description() } }
  }

  private tagger(model: string) {
    const { id, files } = this.spec
    return otherModel(this.models, { id, files, options: { model } }, 'model', tokenClassification)
  }

  private description(): string {
    const { model } = this.spec.options
    return `Personal information by ${recognizers.length} recognisers${model ? ` and the model ${model}` : '; names by their surroundings only'}.`
  }
}

/** Patterns are translated when they are first used, for each way in which texts are kept, and better at the second time. */
const warmUp = async (detector: PiiDetector): Promise<void> => {
  const call = { signal: new AbortController().signal }
  for (const text of ['1 A', '1 A', '1 Ω', '1 Ω']) {
    await detector.findByPatterns(text, call)
    await detector.openSpans({ text }, call)
  }
}
