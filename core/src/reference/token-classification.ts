import { inject, injectable } from 'tsyringe'
import type { Call } from '../capabilities/call.js'
import type { ClassifiedSpan, TokenClassificationCapability } from '../capabilities/token-classification.js'
import { options } from '../kernel/tokens.js'
import { matches } from './detector.js'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'

/** Takes two or more capitalised words in a row for a name. */
@injectable()
export class CapitalNames implements TokenClassificationCapability {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async classify({ texts }: { texts: string[] }, call: Call): Promise<{ spans: ClassifiedSpan[][] }> {
    await pause(this.options, call)
    return { spans: texts.map(namesIn) }
  }
}

const namesIn = (text: string): ClassifiedSpan[] =>
  matches(text, /(?<!\p{L})\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)+/gu, 'PERSON', 0.6).map(({ type, ...span }) => ({
    label: type,
    ...span,
  }))
