import { commonEnds } from './aligned-text.js'
import type { AlignedText, Part } from './aligned-text.js'
import type { Place } from './place.js'
import { library } from './library.js'
import type { Normalizer, ReplaceNormalizer, StripNormalizer } from './library.js'
import { inStreamSafePieces } from './stream-safe.js'
import { unshared } from './unshared.js'

/** A character with all that may merge with it: marks, Hangul vowels and finals, half-width voicing marks. */
const cluster = /[^][\p{Mark}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]*/gu
const ascii = /^[\0-\x7f]*$/
/** Clusters that are remembered; longer ones hardly come again. */
const remembered = 4096
const longestRemembered = 48

/** The first step of tokenization: the text as the vocabulary has it (case, accents, compatibility characters). */
export class Normalization {
  private readonly steps: readonly NormalizationStep[]

  constructor(normalizer: Normalizer | null) {
    this.steps = leavesOf(normalizer).map((leaf) => new NormalizationStep(leaf, preparationOf(leaf)))
  }

  apply(text: AlignedText, place: Place): AlignedText {
    return this.steps.reduce((before, step) => step.apply(before, place), text)
  }
}

const leavesOf = (normalizer: Normalizer | null): Normalizer[] => {
  if (normalizer instanceof library.SequenceNormalizer) return normalizer.normalizers.flatMap(leavesOf)
  return normalizer ? [normalizer] : []
}

/** Where the library does other than the one that the models were trained with, which looks at single characters. */
const preparationOf = (normalizer: Normalizer): ((text: string) => string) => {
  const isBert = normalizer instanceof library.BertNormalizer
  const lowers = isBert ? normalizer.config.lowercase : normalizer instanceof library.LowercaseNormalizer
  const parts = isBert && normalizer.config.handle_chinese_chars
  return (text) => {
    const parted = parts ? text.replace(ideographsBeyondBasicPlane, ' $& ') : text
    return lowers ? parted.replaceAll('Σ', 'σ') : parted
  }
}

/** The ranges of BERT's tokenizer. */
const ideographsBeyondBasicPlane =
  /[\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b820}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu

class NormalizationStep {
  /** Lengths of clusters after this step. */
  private readonly lengths = new Map<string, number>()

  constructor(
    private readonly normalizer: Normalizer,
    private readonly prepare: (text: string) => string,
  ) {}

  apply(before: AlignedText, place: Place): AlignedText {
    if (before.text === '') return before
    if (this.normalizer instanceof library.StripNormalizer) return strip(before, this.normalizer, place)
    if (this.normalizer instanceof library.PrependNormalizer && !place.first) return before
    const text = this.normalise(before.text)
    if (text === before.text) return before
    const parts = this.parts(before.text, text)
    const length = parts.reduce((sum, part) => sum + part.length, 0)
    return before.derive(text, length === text.length ? parts : commonEnds(before.text, text))
  }

  private normalise(text: string): string {
    const { normalizer } = this
    const normalise = (piece: string) => normalizer.normalize(this.prepare(piece))
    const isOfPatterns =
      normalizer instanceof library.ReplaceNormalizer || normalizer instanceof library.PrependNormalizer
    return isOfPatterns ? normalise(text) : inStreamSafePieces(text, normalise)
  }

  private parts(before: string, after: string): Part[] {
    if (this.normalizer instanceof library.PrependNormalizer) {
      return [
        { length: after.length - before.length, from: 0, to: 0 },
        { length: before.length, from: 0, to: before.length },
      ]
    }
    if (this.normalizer instanceof library.ReplaceNormalizer) return replacedParts(before, this.normalizer)
    if (before.length === after.length && ascii.test(before))
      return [{ length: after.length, from: 0, to: after.length }]
    return this.clusterParts(before)
  }

  private clusterParts(before: string): Part[] {
    const parts: Part[] = []
    for (const { 0: text, index } of before.matchAll(cluster)) {
      parts.push({ length: this.lengthOf(text), from: index, to: index + text.length })
    }
    return parts
  }

  private lengthOf(text: string): number {
    const known = this.lengths.get(text)
    if (known !== undefined) return known
    const { length } = this.normalise(text)
    if (text.length <= longestRemembered) {
      if (this.lengths.size >= remembered) this.lengths.clear()
      this.lengths.set(unshared(text), length)
    }
    return length
  }
}

const strip = (before: AlignedText, { config }: StripNormalizer, { first, last }: Place): AlignedText => {
  const { text } = before
  const from = config.strip_left && first ? text.length - text.trimStart().length : 0
  const to = config.strip_right && last ? text.trimEnd().length : text.length
  return before.slice(from, Math.max(from, to))
}

const replacedParts = (before: string, { pattern, config }: ReplaceNormalizer): Part[] => {
  const parts: Part[] = []
  let at = 0
  for (const { 0: match, index } of pattern ? before.matchAll(pattern) : []) {
    parts.push({ length: index - at, from: at, to: index })
    at = index + match.length
    parts.push({ length: config.content.length, from: index, to: at })
  }
  return [...parts, { length: before.length - at, from: at, to: before.length }]
}
