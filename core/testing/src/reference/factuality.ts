import { inject, injectable } from 'tsyringe'
import { options } from '@sallyport/core'
import type { Finding, InspectionRequest } from '@sallyport/core'
import { matches, PatternDetector } from './detector.js'
import type { ReferenceOptions } from './options.js'
import { vocabularyOf } from './words.js'

/** A sentence is supported as far as its words occur in the reference; a number that does not occur contradicts it. */
@injectable()
export class CoverageFactuality extends PatternDetector {
  constructor(@inject(options) options: ReferenceOptions) {
    super(options, 'coverage-factuality')
  }

  protected find({ text, reference }: InspectionRequest): Finding[] {
    if (reference === undefined) return []
    const known = vocabularyOf(reference)
    return matches(text, /[^\s.!?][^.!?]*/gu, 'unsupported_claim', 0)
      .map((claim) => ({ ...claim, score: unsupported(vocabularyOf(text.slice(claim.start, claim.end)), known) }))
      .filter(({ score }) => score >= 0.5)
  }
}

const unsupported = (words: ReadonlySet<string>, known: ReadonlySet<string>): number => {
  const missing = [...words].filter((word) => !known.has(word))
  if (missing.some((word) => /\p{N}/u.test(word))) return 1
  return words.size ? missing.length / words.size : 0
}
