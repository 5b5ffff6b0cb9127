import type { Call, LanguagePair, TranslationCapability, TranslationRequest, TranslationResult } from '@sallyport/core'
import { findPair, unsupportedPair } from './pairs.js'
import type { Sanity } from './sanity/sanity.js'
import { translateText } from './text/translate-text.js'

/** A translation that the engine did not finish. */
export interface Unfinished {
  readonly partial: string
}

/** Translates units of text; the rest of the capability is the same for all engines. */
export interface Engine<Pair extends LanguagePair = LanguagePair> {
  readonly pairs: readonly Pair[]
  /** The maximum length of a unit, in UTF-16 code units. */
  readonly maxLength: number
  /** Whether several sentences of a line are translated as one unit. */
  readonly joinsSentences: boolean
  /**
   * Translates units without line breaks independently. Returns one translation per unit, in their order.
   * @param pair one of {@link pairs}
   */
  translate(units: readonly string[], pair: Pair, call: Call): Promise<readonly (string | Unfinished)[]>
}

/** The capability of an engine. Its one candidate has the sanity score; an unfinished translation is vetoed. */
export class EngineTranslation<Pair extends LanguagePair> implements TranslationCapability {
  constructor(
    private readonly model: string,
    private readonly engine: Engine<Pair>,
    private readonly sanity: Sanity,
  ) {}

  async translate(request: TranslationRequest, call: Call): Promise<TranslationResult> {
    call.signal.throwIfAborted()
    const { engine, model } = this
    const pair = findPair(request, engine.pairs)
    if (!pair) throw unsupportedPair(request, engine.pairs)
    const { maxLength, joinsSentences } = engine
    const options = { language: pair.source, target: pair.target, maxLength, joinsSentences }
    let isFinished = true as boolean
    const translate = async (units: readonly string[]) => {
      const translations = await engine.translate(units, pair, call)
      isFinished &&= translations.every((translation) => typeof translation === 'string')
      return translations.map((translation) => (typeof translation === 'string' ? translation : translation.partial))
    }
    const translation = await translateText(request.text, options, translate, call)
    if (!isFinished) return { candidates: [{ translation, score: 0, model, status: 'vetoed' }] }
    const score = await this.sanity.score({ ...request, translation }, call)
    return { candidates: [{ translation, score, model, status: 'success' }] }
  }

  async pairs(_: object, { signal }: Call): Promise<{ pairs: LanguagePair[] }> {
    await Promise.resolve()
    signal.throwIfAborted()
    return { pairs: this.engine.pairs.map(({ source, target }) => ({ source, target })) }
  }
}
