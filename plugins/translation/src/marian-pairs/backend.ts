import { failure, inject, injectable, logger, modelOpener, modelSpec, provide, translation } from '@sallyport/core'
import type {
  Call,
  LanguagePair,
  LoadedModel,
  Logger,
  ModelBackend,
  ModelOpener,
  ModelSpec,
  TranslationCapability,
  TranslationRequest,
  TranslationResult,
} from '@sallyport/core'
import { untilAborted } from '@sallyport/kit/async'
import { checkedTag, distinctPairs, findPair, unsupportedPair } from '../pairs.js'
import type { MarianPairsOptions } from './options.js'
import { PairModels } from './pair-models.js'

type Spec = ModelSpec<MarianPairsOptions>

/** The pairs as the options write them, by pairs of canonical tags. @throws model_invalid */
export const pairsOf = ({ id, options }: Spec): Map<LanguagePair, LanguagePair> =>
  new Map(
    options.pairs.map((pair, index) => {
      const tag = (side: 'source' | 'target') => checkedTag(id, pair[side], ['pairs', index, side])
      return [{ source: tag('source'), target: tag('target') }, pair]
    }),
  )

/** Marian models of many pairs, each fetched and loaded with the first request for it. */
@injectable()
export class MarianPairsBackend implements ModelBackend {
  private models: PairModels | undefined

  constructor(
    @inject(modelSpec) private readonly spec: Spec,
    @inject(modelOpener) private readonly opener: ModelOpener,
    @inject(logger) private readonly logger: Logger,
  ) {}

  load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    if (!this.opener.has('onnx'))
      throw failure('model_invalid', { model: id, problem: 'it needs the plugin @sallyport/onnx: add it to plugins' })
    this.models = new PairModels(id, options, this.opener, this.logger)
    const service = new PairsTranslation(pairsOf(this.spec), this.models)
    return Promise.resolve({ provides: [provide(translation, service)] })
  }

  async stop(): Promise<void> {
    await this.models?.stop()
  }
}

class PairsTranslation implements TranslationCapability {
  private readonly canonicalPairs: readonly LanguagePair[]

  constructor(
    private readonly writtenPairs: ReadonlyMap<LanguagePair, LanguagePair>,
    private readonly models: PairModels,
  ) {
    this.canonicalPairs = distinctPairs(writtenPairs.keys())
  }

  async translate(request: TranslationRequest, call: Call): Promise<TranslationResult> {
    call.signal.throwIfAborted()
    const serving = findPair(request, this.canonicalPairs)
    const pair = [...this.writtenPairs].find(
      ([{ source, target }]) => source === serving?.source && target === serving.target,
    )?.[1]
    if (!serving || !pair) throw unsupportedPair(request, this.canonicalPairs)
    return this.models.use(
      pair,
      call.tenant,
      (opening) => untilAborted(opening, call.signal),
      (service) => service.translate({ text: request.text, ...serving }, call),
    )
  }

  async pairs(_: object, { signal }: Call): Promise<{ pairs: LanguagePair[] }> {
    await Promise.resolve()
    signal.throwIfAborted()
    return { pairs: this.canonicalPairs.map((pair) => ({ ...pair })) }
  }
}
