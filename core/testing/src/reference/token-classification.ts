import { inject, injectable } from 'tsyringe'
import { options } from '@sallyport/core'
import type { Call, ClassifiedSpan, TokenClassificationCapability } from '@sallyport/core'
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
