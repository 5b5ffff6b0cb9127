import { failure, provide, tokenClassification } from '@sallyport/core'
import type { Kernel, LoadedModel, ModelSpec, TokenClassificationCapability } from '@sallyport/core'
import { pii } from '@sallyport/checks'
import { checkChosenModel } from '@sallyport/kit/models'
import type { ModelChooser } from '@sallyport/kit/models'
import { didYouMean } from '@sallyport/kit/text'
import { readRecognizers, RecognizerError, validRecognizers } from './custom/index.js'
import { PiiDetector } from './detector.js'
import { compileRecognizer } from './matching/compiled.js'
import { PatternSearch, warmUp } from './matching/pattern-search.js'
import { defaultLabels, promptLabels } from './model/labels.js'
import { NameModel } from './model/names.js'
import type { PiiOptions } from './options/index.js'
import { recognizers } from './recognizers/index.js'
import type { Recognizer } from './recognizers/recognizer.js'
import { serverKey } from './replacement/key.js'
import { Substitutes } from './replacement/substitutes.js'
import { ThreadedSearch } from './threads/threaded-search.js'

/** The validated options, with the recognisers that they name. */
interface ResolvedOptions {
  readonly custom: readonly Recognizer[]
  /** All entity types that may be found, in alphabetical order. */
  readonly entityTypes: readonly string[]
}

/**
 * @param directory where relative paths of the configuration start
 * @throws model_invalid for a recogniser that cannot be read or is invalid, an unsuitable model, or an unknown type in
 * `ignore`
 */
export const resolveOptions = async (
  spec: ModelSpec<PiiOptions>,
  kernel: Kernel,
  directory: string,
): Promise<ResolvedOptions> => {
  const { labels, ignore } = spec.options
  const invalid = (problem: string, option: readonly (string | number)[], cause?: unknown) =>
    failure('model_invalid', { model: spec.id, problem, option }, { cause })
  const custom = await validRecognizers(spec.options.recognizers, directory).catch((error: unknown) => {
    throw error instanceof RecognizerError ? invalid(error.message, ['recognizers', error.index], error) : error
  })
  const entityTypes = typesOf(custom, labels)
  const unknownIndex = ignore.findIndex((type) => !entityTypes.includes(type))
  const unknownType = ignore[unknownIndex]
  // A misspelt type would not be ignored: its findings would be replaced.
  if (unknownType !== undefined)
    throw invalid(
      `its option ignore names "${unknownType}", which is not a known entity type${didYouMean(unknownType, entityTypes)}`,
      ['ignore', unknownIndex],
    )
  checkChosenModel(tokenClassification, spec, kernel)
  return { custom, entityTypes }
}

interface Environment {
  readonly spec: ModelSpec<PiiOptions>
  readonly kernel: Kernel
  /** Where relative paths of the configuration start. */
  readonly directory: string
  /** The server's state directory, which has the key of substitutes. */
  readonly home: string
  readonly tokenClassifiers: ModelChooser<TokenClassificationCapability>
}

/** @throws model_invalid, as {@link resolveOptions}; what {@link ModelChooser.open} throws */
export const openDetector = async ({
  spec,
  kernel,
  directory,
  home,
  tokenClassifiers,
}: Environment): Promise<{ loaded: LoadedModel; search: ThreadedSearch }> => {
  const { model, labels, key, threshold, ignore } = spec.options
  const { custom, entityTypes } = await resolveOptions(spec, kernel, directory)
  const all = [...recognizers, ...custom].map(compileRecognizer)
  const settings = { threshold, entities: new Set(entityTypes) }
  const patterns = new PatternSearch({ recognizers: all, ...settings })
  const [tokenClassifier] = await Promise.all([
    model ? tokenClassifiers.open(model, { labels: promptLabels(labels) }) : undefined,
    warmUp(patterns, all),
  ])
  const search = new ThreadedSearch(patterns, { customRecognizers: spec.options.recognizers, directory, ...settings })
  const detector = new PiiDetector({
    patterns: search,
    ...(tokenClassifier ? { names: new NameModel(tokenClassifier.model, labels) } : {}),
    substitutes: new Substitutes(key === undefined ? await serverKey(home) : Buffer.from(key), all),
    threshold,
    ignore: new Set(ignore),
  })
  const means = model ? ` and the model ${model}` : '; names only by patterns and word lists'
  const description = `Finds personal information with ${recognizers.length} recognisers${means}.`
  return { loaded: { provides: [provide(pii, detector)], descriptor: { description, entityTypes } }, search }
}

/** The entity types of valid options; see {@link resolveOptions}. */
export const entityTypesOf = async (options: PiiOptions, directory: string): Promise<string[]> =>
  typesOf(await readRecognizers(options.recognizers, directory), options.labels)

const typesOf = (custom: readonly Pick<Recognizer, 'entity'>[], labels: PiiOptions['labels'] = {}): string[] => {
  const byModel = Object.values(defaultLabels).map(({ entity }) => entity)
  const types = [...[...recognizers, ...custom].map(({ entity }) => entity), ...byModel, ...Object.values(labels)]
  return [...new Set(types)].sort()
}
