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
import { checkedTag, distinctPairs, findPair, unsupportedPair } from '../pairs.js'
import type { MarianPairsOptions } from './options.js'
import { PairModels } from './pair-models.js'

type Spec = ModelSpec<MarianPairsOptions>

/** A pair of canonical tags. */
interface ConfiguredPair extends LanguagePair {
  /** The pair as it is written in the options. */
  readonly written: LanguagePair
}

/** The pairs of the options. @throws model_invalid */
export const pairsOf = ({ id, options }: Spec): ConfiguredPair[] =>
  options.pairs.map((written, index) => {
    const tag = (side: 'source' | 'target') => checkedTag(id, written[side], ['pairs', index, side])
    return { source: tag('source'), target: tag('target'), written }
  })

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
  constructor(
    private readonly configured: readonly ConfiguredPair[],
    private readonly models: PairModels,
  ) {}

  async translate(request: TranslationRequest, call: Call): Promise<TranslationResult> {
    call.signal.throwIfAborted()
    const pair = findPair(request, this.configured)
    if (!pair) throw unsupportedPair(request, this.configured)
    const { source, target, written } = pair
    return this.models.use(written, call, (service) => service.translate({ text: request.text, source, target }, call))
  }

  async pairs(_: object, { signal }: Call): Promise<{ pairs: LanguagePair[] }> {
    await Promise.resolve()
    signal.throwIfAborted()
    return { pairs: distinctPairs(this.configured) }
  }
}
