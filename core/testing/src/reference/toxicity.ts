import { inject, injectable } from 'tsyringe'
import { options } from '@sallyport/core'
import type { Finding, InspectionRequest } from '@sallyport/core'
import { matches, PatternDetector } from './detector.js'
import type { ReferenceOptions } from './options.js'

const insults = /\b(?:idiots?|morons?|imbeciles?|scum|stupid)\b/giu
const threats = /\bI(?:\s+will|'ll)\s+(?:kill|hurt|destroy)\s+you\b/giu

/** Finds insults and threats by their words. */
@injectable()
export class WordToxicity extends PatternDetector {
  constructor(@inject(options) options: ReferenceOptions) {
    super(options, 'word-toxicity')
  }

  protected find({ text }: InspectionRequest): Finding[] {
    return [...matches(text, insults, 'insult', 0.8), ...matches(text, threats, 'threat', 0.95)].sort(
      (a, b) => a.start - b.start,
    )
  }
}
