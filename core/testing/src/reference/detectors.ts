/** Detectors that search the text for patterns or words. */

import type { Finding, Inspection, InspectionRequest, Detector } from '@sallyport/core'
import { referenceService } from './backend.js'
import { vocabularyOf } from './words.js'

/** The inspection of a detector that finds these spans; its score is the highest of theirs. */
export const inspectionOf = (detector: string, find: () => Finding[]): Inspection => {
  const begin = performance.now()
  const findings = find()
  return {
    findings,
    score: findings.reduce((max, { score }) => Math.max(max, score), 0),
    explanation: findings.length ? `${findings.length} found` : 'nothing found',
    detector: `${detector}/1`,
    latency: performance.now() - begin,
  }
}

const detector = (name: string, find: (request: InspectionRequest) => Finding[]) =>
  referenceService<Detector>({ inspect: (request) => inspectionOf(name, () => find(request)) })

/** All matches of a pattern as findings. */
export const matches = (text: string, pattern: RegExp, type: string, score: number): Finding[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ type, start: index, end: index + match.length, score }))

const overridePattern =
  /\b(?:ignore|disregard|forget)\s+(?:all\s+|the\s+|your\s+|any\s+)*(?:previous|prior|above|earlier)\s+(?:instructions?|prompts?|rules)\b/giu

/** Finds the plainest injection: an order to ignore the previous instructions. */
export const OrderInjection = detector('order-injection', ({ text }) =>
  matches(text, overridePattern, 'injection', 0.95),
)

const insults = /\b(?:idiots?|morons?|imbeciles?|scum|stupid)\b/giu
const threats = /\bI(?:\s+will|'ll)\s+(?:kill|hurt|destroy)\s+you\b/giu

/** Finds insults and threats by their words. */
export const WordToxicity = detector('word-toxicity', ({ text }) =>
  [...matches(text, insults, 'insult', 0.8), ...matches(text, threats, 'threat', 0.95)].sort(
    (a, b) => a.start - b.start,
  ),
)

/** Scores a sentence by the share of its words that the reference lacks; a missing number contradicts the reference. */
export const CoverageFactuality = detector('coverage-factuality', ({ text, reference: source }) => {
  if (source === undefined) return []
  const known = vocabularyOf(source)
  return matches(text, /[^\s.!?][^.!?]*/gu, 'unsupported_claim', 0)
    .map((claim) => ({ ...claim, score: unsupportedShare(vocabularyOf(text.slice(claim.start, claim.end)), known) }))
    .filter(({ score }) => score >= 0.5)
})

const unsupportedShare = (words: ReadonlySet<string>, known: ReadonlySet<string>): number => {
  const missing = [...words].filter((word) => !known.has(word))
  if (missing.some((word) => /\p{N}/u.test(word))) return 1
  return words.size ? missing.length / words.size : 0
}
