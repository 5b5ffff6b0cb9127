import { append } from '@sallyport/kit/lists'
import type { Call, LanguagePair, TranslationCapability, TranslationRequest, TranslationResult } from '@sallyport/core'
import { findPair, unsupportedPair } from './pairs.js'
import type { Sanity } from './sanity/sanity.js'
import { translateText } from './text/translate-text.js'

/** A translation that the engine did not finish. */
export interface Unfinished {
  readonly partial: string
}

/** Translates units of text; the rest of the capability is the same for all engines. */
export interface Engine {
  readonly pairs: readonly LanguagePair[]
  /** The maximum length of a unit, in UTF-16 code units. */
  readonly maxLength: number
  /** Whether several sentences of a line are translated as one unit. */
  readonly joinsSentences: boolean
  /**
   * Translates units without line breaks independently. Returns one translation per unit, in their order.
   * @param pair one of {@link pairs}
   */
  translate(units: readonly string[], pair: LanguagePair, call: Call): Promise<readonly (string | Unfinished)[]>
}

/** Makes the capability of an engine. The only candidate has the sanity score; an unfinished translation is vetoed. */
export class EngineTranslation implements TranslationCapability {
  constructor(
    private readonly model: string,
    private readonly engine: Engine,
    private readonly sanity: Sanity,
  ) {}

  async translate(request: TranslationRequest, call: Call): Promise<TranslationResult> {
    call.signal.throwIfAborted()
    const { engine, model } = this
    const pair = findPair(request, engine.pairs)
    if (!pair) throw unsupportedPair(request, engine.pairs)
    const layout = {
      language: pair.source,
      target: pair.target,
      maxLength: engine.maxLength,
      joinsSentences: engine.joinsSentences,
    }
    const unfinished: Unfinished[] = []
    const translate = async (units: readonly string[]) => {
      const translated = await engine.translate(units, pair, call)
      append(
        unfinished,
        translated.filter((unit) => typeof unit !== 'string'),
      )
      return translated.map((unit) => (typeof unit === 'string' ? unit : unit.partial))
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
