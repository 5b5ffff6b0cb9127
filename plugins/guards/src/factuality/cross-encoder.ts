import { Pacer } from '@sallyport/kit/async'
import type { Call } from '@sallyport/core'
import { requiredScore } from '../classifiers/labels.js'
import type { ScoredLabel } from '../classifiers/labels.js'
import type { TokenizedWord, WordPieceTokenizer } from '../classifiers/wordpiece.js'
import type { Classifier } from '../models.js'
import { logit } from '../scoring.js'
import { evidenceOf } from './evidence.js'
import type { FactualityModel } from './model.js'
import type { Reference } from './reference.js'
import { labelsOfPairs } from './support-model.js'
import type { ComparedClaim, SupportModel } from './support-model.js'

/** The labels of the model `claims`, each of which applies by itself; see training/pairs.py. */
const [supported, contradicted] = ['supported', 'contradicted'] as const
/** Tokens of a claim that the model reads; of a claim and its evidence, without [CLS] and two [SEP]. */
const maxClaimTokens = 96
const maxPairTokens = 221

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
    for (const claim of claims) {
      pairs.push(await this.pairOf(claim, reference, pacer))
      await pacer.pause()
    }
    const labels = await labelsOfPairs(this.classifier, pairs, call)
    return claims.map(({ comparison: { features } }, index) =>
      this.model.supportLogit(features, this.logitOf(labels[index] ?? [])),
    )
  }

  /** What the model reads: a claim, and as much evidence as there is room for. */
  async pairOf(
    { text, words }: Pick<ComparedClaim, 'text' | 'words'>,
    reference: Reference,
    pacer: Pacer,
  ): Promise<{ readonly text: string; readonly pair: string }> {
    const claim = beginningOf(text, await this.tokenizer.tokenize(text, pacer), this.tokenizer)
    const evidence = evidenceOf(words, reference, this.model, {
      tokens: maxPairTokens - claim.tokens,
      tokensOf: (index) => this.tokensOf(reference, index),
    })
    const sentences = evidence.flatMap((index) => reference.sentences[index] ?? [])
    return { text: claim.text, pair: sentences.map(({ start, end }) => reference.text.slice(start, end)).join(' ') }
  }

  private tokensOf(reference: Reference, index: number): number {
    const counts = this.tokenCounts.get(reference) ?? new Map<number, number>()
    this.tokenCounts.set(reference, counts)
    const { start = 0, end = 0 } = reference.sentences[index] ?? {}
    const count = counts.get(index) ?? this.tokenizer.idsOfText(reference.text.slice(start, end)).length
    counts.set(index, count)
    return count
  }

  private logitOf(scores: readonly ScoredLabel[]): number {
    return logit(requiredScore(scores, supported, this.classifier.name))
  }
}

/** As much of a claim as the model reads, and how many tokens it has. */
const beginningOf = (text: string, words: readonly TokenizedWord[], tokenizer: WordPieceTokenizer) => {
  let tokens = 0
  for (const { ids, start, end } of words) {
    const room = maxClaimTokens - tokens
    if (ids.length > room)
      return {
        text: text.slice(0, start) + wordBeginning(text.slice(start, end), ids.slice(0, room), tokenizer),
        tokens: maxClaimTokens,
      }
    tokens += ids.length
  }
  return { text, tokens }
}

/** The beginning of a word that has these subwords. */
const wordBeginning = (word: string, ids: readonly number[], tokenizer: WordPieceTokenizer): string => {
  for (let length = word.length - 1; length > 0; length -= 1) {
    const beginning = word.slice(0, length)
    if (tokenizer.idsOfText(beginning).join() === ids.join()) return beginning
  }
  return ''
}
