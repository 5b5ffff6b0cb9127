import { Pacer } from '@sallyport/kit/async'
import { cosine } from '@sallyport/kit/numbers'
import type { Call, EmbeddingCapability, Served, TranslationRequest } from '@sallyport/core'
import { withoutLiterals } from '../text/protected.js'
import { copyGate, lengthGate, repetitionGate } from './gates.js'
import { clamp, languageGate, loadDetector } from './language.js'
import type { Detector } from './language.js'

export type Embed = () => Served<EmbeddingCapability>

export type TranslatedText = TranslationRequest & { readonly translation: string }

/** How many UTF-16 code units of either text are examined, except for their lengths: gates block the event loop. */
const maxLength = 20_000

/**
 * Scores a translation: 0 where it is certainly broken, 1 where nothing is wrong. The score detects broken output and
 * does not rank engines. It is the product of the gates for language, copy and repetition, and of the similarity of
 * lengths and, with an embedding model, of vectors.
 */
export class Sanity {
  /** @param embed a multilingual model */
  private constructor(
    private readonly detector: Detector,
    private readonly embed: Embed | undefined,
  ) {}

  static async load(embed?: Embed): Promise<Sanity> {
    return new Sanity(await loadDetector(), embed)
  }

  /** @throws what the embedding model throws */
  async score(translated: TranslatedText, call: Call): Promise<number> {
    const text = withoutLiterals(translated.text.slice(0, maxLength))
    const translation = withoutLiterals(translated.translation.slice(0, maxLength))
    if (!/\p{L}/u.test(text)) return 1
    const gates =
      languageGate(this.detector, translation, translated.target) *
      copyGate(text, translation) *
      repetitionGate(text, translation)
    const length = await lengthGate(translated.text, translated.translation, new Pacer(call))
    if (!this.embed || gates === 0 || length === 0) return gates * length
    return gates * (0.7 * (await this.agreement(this.embed, [text, translation], call)) + 0.3 * length)
  }

  /** The cosine of the vectors of both texts, from 0 to 1. */
  private async agreement(embed: Embed, texts: readonly string[], call: Call): Promise<number> {
    const { vectors } = await embed().embed({ inputs: texts.map((text) => ({ text })), truncate: 'right' }, call)
    const [one, other] = vectors
    if (!one || !other) return 0
    return clamp(cosine(one, other))
  }
}
