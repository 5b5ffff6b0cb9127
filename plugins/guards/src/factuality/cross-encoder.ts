import { Pacer } from '@sallyport/kit/async'
import type { Call } from '@sallyport/core'
import { requiredScore } from '../classifiers/labels.js'
import type { ScoredLabel } from '../classifiers/labels.js'
import type { TokenizedWord, WordPieceTokenizer } from '../classifiers/wordpiece.js'
import type { Classifier } from '../models.js'
import { logit } from '../scoring.js'
import { comparedWords } from './compared-words.js'
import type { ComparedWord } from './compared-words.js'
import { evidenceOf } from './evidence.js'
import type { FactualityModel } from './model.js'
import type { Reference } from './reference.js'
import { labelsOfPairs, supportByWords } from './support-model.js'
import type { ComparedClaim, SupportModel } from './support-model.js'

/** The labels of the model `claims`, each of which applies by itself; see training/pairs.py. */
const [supported, contradicted] = ['supported', 'contradicted'] as const
/** Tokens of a claim, or a part of one, that the model reads; of it and its evidence, without [CLS] and two [SEP]. */
const maxClaimTokens = 96
const maxPairTokens = 221
/** UTF-16 code units of a sentence that are tokenized: many more than there is room for. */
const maxSentenceLength = 4_000

/** Whether a model with these labels is `claims`, which reads a claim first and then its evidence. */
export const isCrossEncoder = (labels: readonly ScoredLabel[]): boolean =>
  [supported, contradicted].every((name) => labels.some(({ label }) => label === name))

/** The model `claims`, which reads each claim with the sentences that say most of it, and the features of their words. */
export class CrossEncoder implements SupportModel {
  readonly detector = 'factuality-cross-encoder/1'
  readonly means: string
  /** Flags 11 % of the supported claims of the development pairs; see training/RESULTS.md. */
  readonly operatingPoint = { short: -1.5, perDoubling: -0.3 }
  /** The numbers of tokens of sentences by their indices, since claims of one answer have the same reference. */
  private readonly tokenCounts = new WeakMap<Reference, Map<number, number>>()

  constructor(
    private readonly classifier: Classifier,
    private readonly tokenizer: WordPieceTokenizer,
    private readonly model: FactualityModel,
  ) {
    this.means = `the model ${classifier.name} and their overlap with its sentences`
  }

  async supportLogits(claims: readonly ComparedClaim[], reference: Reference, call: Call): Promise<number[]> {
    const pacer = new Pacer(call)
    const pairs = []
    for (const [of, claim] of claims.entries())
      for (const pair of await this.pairsOf(claim, reference, pacer)) pairs.push({ ...pair, of })
    const inputs = pairs.map(({ text, pair }) => ({ text, pair }))
    const labels = await labelsOfPairs(this.classifier, inputs, call)
    const lowest = claims.map(() => Infinity)
    for (const [index, { of }] of pairs.entries())
      lowest[of] = Math.min(lowest[of] ?? Infinity, this.logitOf(labels[index] ?? []))
    return claims.map(({ comparison }, index) => supportByWords(this.model, comparison, lowest[index]))
  }

  /** What the model reads: a claim, or each part of a long one, and as much evidence as there is room for. */
  async pairsOf({ text, words }: Pick<ComparedClaim, 'text' | 'words'>, reference: Reference, pacer: Pacer) {
    const parts = partsOf(text, await this.tokenizer.tokenize(text, pacer), maxClaimTokens)
    const pairs = []
    for (const [at, part] of parts.entries()) {
      // the training chose the evidence of the first part by all words
      const partWords = at > 0 ? comparedWords(part.text) : words
      const pair = await this.evidenceFor(partWords, reference, maxPairTokens - part.tokens, pacer)
      pairs.push({ text: part.text, pair })
    }
    return pairs
  }

  private async evidenceFor(words: readonly ComparedWord[], reference: Reference, tokens: number, pacer: Pacer) {
    const tokensOf = (index: number) => this.tokensOf(reference, index, pacer)
    const evidence = await evidenceOf(words, reference, this.model, { tokens, tokensOf }, pacer)
    const text = evidence.map((index) => beginningOf(reference, index)).join(' ')
    const [read] = partsOf(text, await this.tokenizer.tokenize(text, pacer), tokens)
    return read?.text ?? ''
  }

  private async tokensOf(reference: Reference, index: number, pacer: Pacer): Promise<number> {
    const counts = this.tokenCounts.get(reference) ?? new Map<number, number>()
    this.tokenCounts.set(reference, counts)
    const known = counts.get(index)
    if (known !== undefined) return known
    const words = await this.tokenizer.tokenize(beginningOf(reference, index), pacer)
    const count = words.reduce((total, { ids }) => total + ids.length, 0)
    counts.set(index, count)
    return count
  }

  private logitOf(scores: readonly ScoredLabel[]): number {
    return logit(requiredScore(scores, supported, this.classifier.name))
  }
}

/** The beginning of a sentence of the reference; the model has no room for more. */
const beginningOf = ({ text, sentences }: Reference, index: number): string => {
  const { start = 0, end = 0 } = sentences[index] ?? {}
  return text.slice(start, Math.min(end, start + maxSentenceLength))
}

interface Part {
  readonly text: string
  readonly tokens: number
}

/** A text in parts of at most so many tokens, but for a longer word. */
const partsOf = (text: string, words: readonly TokenizedWord[], maxTokens: number): Part[] => {
  const parts: Part[] = []
  let [begin, tokens] = [0, 0]
  for (const { ids, start } of words) {
    if (tokens > 0 && tokens + ids.length > maxTokens) {
      parts.push({ text: text.slice(begin, start), tokens })
      ;[begin, tokens] = [start, 0]
    }
    tokens += ids.length
  }
  return [...parts, { text: text.slice(begin), tokens }]
}
