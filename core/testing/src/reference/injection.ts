import { inject, injectable } from 'tsyringe'
import { options } from '@sallyport/core'
import type { Finding, InspectionRequest } from '@sallyport/core'
import { matches, PatternDetector } from './detector.js'
import type { ReferenceOptions } from './options.js'

const orders =
  /\b(?:ignore|disregard|forget)\s+(?:all\s+|the\s+|your\s+|any\s+)*(?:previous|prior|above|earlier)\s+(?:instructions?|prompts?|rules)\b/giu

/** Finds the plainest attack: to ignore the instructions so far. */
@injectable()
export class OrderInjection extends PatternDetector {
  constructor(@inject(options) options: ReferenceOptions) {
    super(options, 'order-injection')
  }

  protected find({ text }: InspectionRequest): Finding[] {
    return matches(text, orders, 'injection', 0.95)
  }
}
