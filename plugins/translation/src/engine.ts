import { append } from '@sallyport/kit/lists'
import type { Call, LanguagePair, TranslationCapability, TranslationRequest, TranslationResult } from '@sallyport/core'
import { servingPair, unsupportedPair } from './pairs.js'
import type { Sanity } from './sanity/sanity.js'
import { translateText } from './text/translate-text.js'

/** What an engine said of a unit, and found no end of. */
export interface Unfinished {
  readonly begun: string
}

/** What translates sentences; the rest is the same for all engines. */
export interface Engine {
  readonly pairs: readonly LanguagePair[]
  /** Characters of what is translated as one. */
  readonly maxLength: number
  /** Whether it translates several sentences of a line better as one. */
  readonly joined: boolean
  /**
   * Translates units without line breaks, each for itself; as many come back, in their order.
   * @param pair one of {@link pairs}
   */
  translate(units: readonly string[], pair: LanguagePair, call: Call): Promise<readonly (string | Unfinished)[]>
}

/** The capability of one engine: its only candidate has the sanity score of its text; vetoed is what has no end. */
export class EngineTranslation implements TranslationCapability {
  constructor(
    private readonly model: string,
    private readonly engine: Engine,
    private readonly sanity: Sanity,
  ) {}

  async translate(request: TranslationRequest, call: Call): Promise<TranslationResult> {
    call.signal.throwIfAborted()
    const { engine, model } = this
    const pair = servingPair(request, engine.pairs)
    if (!pair) throw unsupportedPair(request, engine.pairs)
    const layout = { language: pair.source, target: pair.target, maxLength: engine.maxLength, joined: engine.joined }
    const unfinished: Unfinished[] = []
    const translate = async (units: readonly string[]) => {
      const translated = await engine.translate(units, pair, call)
      append(
        unfinished,
        translated.filter((unit) => typeof unit !== 'string'),
      )
      return translated.map((unit) => (typeof unit === 'string' ? unit : unit.begun))
    }
    const translation = await translateText(request.text, layout, translate, call)
    if (unfinished.length > 0) return { candidates: [{ translation, score: 0, model, status: 'vetoed' }] }
    const score = await this.sanity.score({ ...request, translation }, call)
    return { candidates: [{ translation, score, model, status: 'success' }] }
  }

  async pairs(_: object, { signal }: Call): Promise<{ pairs: LanguagePair[] }> {
    await Promise.resolve()
    signal.throwIfAborted()
    return { pairs: this.engine.pairs.map((pair) => ({ ...pair })) }
  }
}
