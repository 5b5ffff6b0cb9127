import { Pacer } from '@sallyport/kit/async'
import { maxOf } from '@sallyport/kit/lists'
import type { Span } from '@sallyport/kit/views'
import type { Call, Claim, ComparisonDetector, ComparisonInspection, InspectionRequest } from '@sallyport/core'
import { calibrated, logistic } from '../scoring.js'
import { claimsOf } from './claimless.js'
import { comparedWords, sentencesOf, uncontracted } from './compared-words.js'
import { compare } from './features.js'
import { WordSimilarity } from './word-similarity.js'
import type { FactualitySettings } from './options.js'
import { braille, isUnreadable, readingOf } from './reading.js'
import { RecentReferences } from './reference.js'
import type { Reference } from './reference.js'
import type { FactualityModel } from './model.js'
import type { ComparedClaim, SupportModel } from './support-model.js'

/** Differences between a claim and its reference, as explanations name them. */
const differenceNames = {
  number: 'a number',
  name: 'a name',
  date: 'a date',
  negation: 'a negation',
  opposite: 'a word with the opposite meaning',
} as const
type Difference = keyof typeof differenceNames
const differenceTypes = Object.keys(differenceNames) as Difference[]

const maxExplained = 5

/** Sentences of a reference from which on the operating point stays: supported claims score no lower in longer ones. */
const longReference = 8

interface Parts {
  readonly overlap: FactualityModel
  /** Decides; the overlap finds features and explains. */
  readonly support: SupportModel
  readonly options: Pick<FactualitySettings, 'operatingPoint' | 'calibration'>
}

interface FoundClaim extends ComparedClaim, Span {
  /** Whether it has letters and no word to compare. */
  readonly isUnreadable: boolean
}

/** A compared claim. The score is the probability that the reference does not support it. */
interface ScoredClaim extends FoundClaim {
  readonly score: number
}

const isUnsupported = ({ score }: ScoredClaim): boolean => score >= 0.5

/** Finds claims that a reference does not support, by their overlap with its sentences or by a model. */
export class FactualityDetector implements ComparisonDetector {
  private readonly references = new RecentReferences()

  constructor(private readonly parts: Parts) {}

  async inspect({ text, reference }: InspectionRequest, call: Call): Promise<ComparisonInspection> {
    call.signal.throwIfAborted()
    const begin = performance.now()
    const pacer = new Pacer(call)
    const indexedReference = reference === undefined ? undefined : await this.references.read(reference, pacer)
    const shown = await readingOf(text, pacer)
    const found = indexedReference ? await this.scoreClaims(shown.text, indexedReference, call) : []
    const claims = found.map((claim) => ({ ...claim, ...shown.sourceOf(claim) }))
    return {
      findings: claims
        .filter(isUnsupported)
        .map(({ start, end, score }) => ({ type: 'unsupported_claim', start, end, score })),
      score: maxOf(
        claims.map(({ score }) => score),
        0,
      ),
      explanation: indexedReference ? explanationOf(claims) : 'there is no reference to compare with',
      detector: this.parts.support.detector,
      claims: indexedReference ? claims.map((claim) => claimOf(claim, indexedReference)) : [],
      latency: performance.now() - begin,
    }
  }

  private async scoreClaims(text: string, reference: Reference, call: Call): Promise<ScoredClaim[]> {
    const { support, options } = this.parts
    const { short, perDoubling } = options.operatingPoint
    const sentences = Math.min(longReference, Math.max(1, reference.sentences.length))
    const operatingPoint = short + perDoubling * Math.log2(sentences)
    const compared = await this.compareClaims(text, reference, new Pacer(call))
    const logits = await support.supportLogits(compared, reference, call)
    return compared.map((claim, index) => {
      const unsupported = operatingPoint - (logits[index] ?? -Infinity)
      const score = claim.isUnreadable ? 1 : logistic(calibrated(options.calibration, unsupported))
      return { ...claim, score }
    })
  }

  private async compareClaims(text: string, reference: Reference, pacer: Pacer): Promise<FoundClaim[]> {
    const { overlap } = this.parts
    const similarity = new WordSimilarity(overlap, reference.contentWords)
    const compared: FoundClaim[] = []
    for (const sentence of sentencesOf(text)) {
      for (const claim of claimsOf(sentence, reference)) {
        const words = comparedWords(uncontracted(claim.text))
        if (words.length > 0 || braille.test(claim.text))
          compared.push({
            ...claim,
            words,
            comparison: compare(words, reference, overlap, similarity),
            isUnreadable: isUnreadable(claim.text, words, reference.wordSet),
          })
        await pacer.pause()
      }
      // Sentences that claim nothing take time, too.
      await pacer.pause()
    }
    return compared
  }
}

const claimOf = ({ start, end, score, comparison }: ScoredClaim, reference: Reference): Claim => ({
  start,
  end,
  score,
  support: comparison.closest
    .flatMap((index) => reference.sentences[index] ?? [])
    .map((sentence) => reference.sourceOf(sentence)),
  differences: differenceTypes.filter((type) => comparison.differences[type]),
})

/** An explanation for people, which quotes neither the text nor the reference. */
const explanationOf = (claims: readonly ScoredClaim[]): string => {
  if (claims.length === 0) return 'the text makes no claim'
  const numbered = claims.map((claim, at) => ({ claim, number: at + 1 }))
  const unsupported = numbered.filter(({ claim }) => isUnsupported(claim))
  const explained = unsupported.length > 0 ? unsupported : numbered
  const lines = explained.slice(0, maxExplained).map(({ claim, number }) => `claim ${number} ${judgementOf(claim)}`)
  const rest = unsupported.length - maxExplained
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')
}

/** Completes the sentence "claim 1 …". */
const judgementOf = (claim: ScoredClaim): string => {
  const { differences, closest } = claim.comparison
  if (claim.isUnreadable) return 'is not supported: it has letters, but no words to compare'
  const isSupported = !isUnsupported(claim)
  if (closest.length === 0)
    return isSupported
      ? 'is supported by the reference'
      : 'is not supported: no sentence of the reference is close to it'
  if (isSupported) return `is supported by ${sentenceNumbers(closest)}`
  const names = differenceTypes.filter((type) => differences[type]).map((type) => differenceNames[type])
  const difference = names.length > 0 ? `, but the claim differs from the reference in ${names.join(' and ')}` : ''
  return `is not supported: closest to it is ${sentenceNumbers(closest)}${difference}`
}

const sentenceNumbers = (indices: readonly number[]): string => {
  const numbers = indices.map((index) => index + 1).sort((a, b) => a - b)
  return `${numbers.length > 1 ? 'sentences' : 'sentence'} ${numbers.join(' and ')} of the reference`
}
