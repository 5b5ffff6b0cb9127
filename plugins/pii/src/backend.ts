import {
  baseDirectory,
  failure,
  home,
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
import { didYouMean } from '@sallyport/core/config'
import { readRecognizers, RecognizerProblem, soundRecognizers } from './custom/index.js'
import { PiiDetector } from './detector.js'
import { compileRecognizer } from './matching/compiled.js'
import type { CompiledRecognizer } from './matching/compiled.js'
import { matchesOf } from './matching/search.js'
import { defaultLabels } from './model/labels.js'
import { NameModel } from './model/names.js'
import type { PiiOptions } from './options.js'
import { recognizers } from './recognizers/index.js'
import type { Recognizer } from './recognizers/recognizer.js'
import { serverKey } from './replacement/key.js'
import { Substitutes } from './replacement/substitutes.js'

/** @throws model_invalid where the option names no other model with token-classification */
const taggerOf = ({ id, files }: ModelSpec, model: string, models: Kernel) =>
  otherModel(models, { id, files, options: { model } }, 'model', tokenClassification)

/** What the options say, looked up and tried out. */
interface Parts {
  readonly own: readonly Recognizer[]
  readonly tagger: ReturnType<typeof taggerOf> | undefined
  /** All that may be found, by the alphabet. */
  readonly entityTypes: readonly string[]
}

/**
 * @param directory where relative paths of the configuration start
 * @throws model_invalid for a recogniser that cannot be had or is not sound, a model that is none, and an unknown type
 */
export const partsOf = async (spec: ModelSpec<PiiOptions>, models: Kernel, directory: string): Promise<Parts> => {
  const { recognizers: given, model, labels, ignore } = spec.options
  const refused = (problem: string, option: readonly (string | number)[], cause?: unknown) =>
    failure('model_invalid', { model: spec.id, problem, option }, { cause })
  const own = await soundRecognizers(given, directory).catch((error: unknown) => {
    throw error instanceof RecognizerProblem ? refused(error.message, ['recognizers', error.index], error) : error
  })
  const entityTypes = typesOf(own, labels)
  const unknown = ignore.findIndex((type) => !entityTypes.includes(type))
  const named = ignore[unknown]
  // What is misspelt would be found and replaced all the same.
  if (named !== undefined)
    throw refused(`its option ignore names "${named}", which is no entity type${didYouMean(named, entityTypes)}`, [
      'ignore',
      unknown,
    ])
  return { own, tagger: model ? taggerOf(spec, model, models) : undefined, entityTypes }
}

/** A detector, composed with the model that finds names where one is configured. */
@injectable()
export class PiiBackend implements ModelBackend {
  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<PiiOptions>,
    @inject(kernel) private readonly models: Kernel,
    @inject(baseDirectory) private readonly directory: string,
    @inject(home) private readonly home: string,
  ) {}

  async load(): Promise<LoadedModel> {
    const { labels, key, threshold, ignore } = this.spec.options
    const { own, tagger, entityTypes } = await partsOf(this.spec, this.models, this.directory)
    const all = [...recognizers, ...own].map(compileRecognizer)
    const names = tagger ? { names: new NameModel(tagger, labels) } : {}
    const detector = new PiiDetector({
      recognizers: all,
      ...names,
      substitutes: new Substitutes(key === undefined ? await serverKey(this.home) : Buffer.from(key), all),
      threshold,
      entities: new Set(entityTypes),
      ignore: new Set(ignore),
    })
    await warmUp(detector, all)
    return { provides: [provide(pii, detector)], descriptor: { description: this.description(), entityTypes } }
  }

  private description(): string {
    const { model } = this.spec.options
    return `Personal information by ${recognizers.length} recognisers${model ? ` and the model ${model}` : '; names by their surroundings only'}.`
  }
}

/** As {@link partsOf} has them, of options that it takes. */
export const entityTypesOf = async ({ recognizers: given, labels }: PiiOptions, directory: string): Promise<string[]> =>
  typesOf(await readRecognizers(given, directory), labels)

const typesOf = (own: readonly Pick<Recognizer, 'entity'>[], labels: PiiOptions['labels'] = {}): string[] => {
  const byModel = Object.values(defaultLabels).map(({ entity }) => entity)
  const types = [...[...recognizers, ...own].map(({ entity }) => entity), ...byModel, ...Object.values(labels)]
  return [...new Set(types)].sort()
}

/**
 * Patterns are translated when they are first used, for each way in which texts are kept, and better at the second
 * time. Those of whole texts come first: beyond 16 MB of translations, V8 optimises no more, and what comes then is five
 * times slower.
 */
const warmUp = async (detector: PiiDetector, recognizers: readonly CompiledRecognizer[]): Promise<void> => {
  const call = { signal: new AbortController().signal, tenant: '' }
  const texts = ['1 A', '1 A', '1 Ω', '1 Ω']
  for (const text of texts) {
    for (const { patterns } of recognizers) for (const pattern of patterns) matchesOf(text, pattern).next()
    await detector.findByPatterns(text, call)
  }
  for (const text of texts) await detector.openSpans({ text }, call)
}
