import type { Call, EmbeddingCapability, Served, TranslationRequest } from '@sallyport/core'
import { withoutLiterals } from '../text/protected.js'
import { copyGate, lengthGate, repetitionGate } from './gates.js'
import { clamp, languageGate, loadDetector } from './language.js'
import type { Detector } from './language.js'

export type Embed = () => Served<EmbeddingCapability>

export type TranslatedText = TranslationRequest & { readonly translation: string }

/** Characters of either text that are looked at: enough to tell, and others wait meanwhile. */
const maxLength = 20_000

/**
 * Tells broken output, and does not rank engines: 1 for nothing that speaks against a translation, 0 for what cannot
 * be one. The gates for language, copy and repetition, times how well lengths, and vectors where there are any, agree.
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
    const length = lengthGate(translated.text, translated.translation)
    if (!this.embed || gates === 0 || length === 0) return gates * length
    return gates * (0.7 * (await this.agreement(this.embed, [text, translation], call)) + 0.3 * length)
  }

  /** How well the vectors of both texts agree, 0 to 1. */
  private async agreement(embed: Embed, texts: readonly string[], call: Call): Promise<number> {
    const { vectors } = await embed().embed({ inputs: texts.map((text) => ({ text })), truncate: 'right' }, call)
    const [one, other] = vectors
    if (!one || !other) return 0
    return clamp(cosine(one, other))
  }
}

const cosine = (one: Float32Array, other: Float32Array): number => {
  let [product, ofOne, ofOther] = [0, 0, 0]
  for (let index = 0; index < one.length; index++) {
    const [a, b] = [one[index] ?? 0, other[index] ?? 0]
    product += a * b
    ofOne += a * a
    ofOther += b * b
  }
  return ofOne > 0 && ofOther > 0 ? product / Math.sqrt(ofOne * ofOther) : 0
}
