import { mapInTurns } from '@sallyport/kit/async'
import type { Pacer } from '@sallyport/kit/async'
import type { ComparedWord } from './compared-words.js'
import type { FactualityModel } from './model.js'
import type { Reference } from './reference.js'

/** What a model has room for beside a claim. */
export interface Room {
  readonly tokens: number
  /** The number of tokens of a sentence of the reference, by its index. */
  readonly tokensOf: (sentence: number) => Promise<number>
}

/**
 * The indices, ascending, of the sentences of a reference that a model reads with a claim: one after the other the sentence
 * with the highest weight of words of the claim that those before it lack; then the neighbours of the first one; then the
 * rest by the weight of their words. Those without room are left out; only the most similar one may be longer.
 */
export const evidenceOf = async (
  claim: readonly ComparedWord[],
  reference: Reference,
  model: FactualityModel,
  room: Room,
  pacer: Pacer,
): Promise<number[]> => {
  const shared = await SharedWords.of(claim, reference, model, pacer)
  const covering = await shared.coveringSentences(pacer)
  const [first = 0] = covering
  const byWeight = shared.sentencesByWeight()
  const kept: number[] = []
  let left = room.tokens
  for (const index of new Set([...covering, first - 1, first + 1, ...byWeight])) {
    const sentence = reference.sentences[index]
    // Each word is one token or more.
    const mayFit = sentence !== undefined && sentence.words.length <= left && (await room.tokensOf(index)) <= left
    if (!mayFit && (kept.length > 0 || index !== byWeight[0])) continue
    kept.push(index)
    left -= await room.tokensOf(index)
  }
  return kept.sort((a, b) => a - b)
}

/** The content words that a claim shares with each sentence of its reference. */
class SharedWords {
  private readonly totals: readonly number[]

  private constructor(
    private readonly weights: ReadonlyMap<string, number>,
    /** By sentence, in one order, so that equal sums are equal. */
    private readonly stems: readonly (readonly string[])[],
  ) {
    this.totals = stems.map((each) => this.weightOf(each))
  }

  static async of(claim: readonly ComparedWord[], { sentences }: Reference, model: FactualityModel, pacer: Pacer) {
    const weights = new Map(claim.flatMap(({ stem, isContent }) => (isContent ? [[stem, model.idf(stem)]] : [])))
    const all = [...weights.keys()].sort()
    const stems = await mapInTurns(sentences, pacer, (sentence) => all.filter((stem) => sentence.stems.has(stem)))
    return new SharedWords(weights, stems)
  }

  sentencesByWeight(): number[] {
    return [...this.totals.keys()].sort((a, b) => (this.totals[b] ?? 0) - (this.totals[a] ?? 0))
  }

  /** Sentences that together have all words of the claim that the reference has; the first among equals. */
  async coveringSentences(pacer: Pacer): Promise<number[]> {
    const covering: number[] = []
    const missing = new Set(this.stems.flat())
    while (missing.size > 0) {
      const best = this.bestFor(missing)
      covering.push(best)
      for (const stem of this.stems[best] ?? []) missing.delete(stem)
      await pacer.pause()
    }
    return covering
  }

  private bestFor(missing: ReadonlySet<string>): number {
    let [best, highest] = [0, -Infinity]
    for (const [index, stems] of this.stems.entries()) {
      const gain = stems.length > 0 ? this.weightOf(stems.filter((stem) => missing.has(stem))) : 0
      if (gain > highest) [best, highest] = [index, gain]
    }
    return best
  }

  private weightOf(stems: readonly string[]): number {
    return stems.reduce((total, stem) => total + (this.weights.get(stem) ?? 0), 0)
  }
}
