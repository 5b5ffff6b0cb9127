import { inject, injectable } from 'tsyringe'
import { options } from '@sallyport/core'
import type {
  Call,
  TextClassificationCapability,
  TextClassificationRequest,
  TextClassificationResult,
} from '@sallyport/core'
import { pause } from './options.js'
import type { ReferenceOptions } from './options.js'
import { vocabularyOf } from './words.js'

const good = vocabularyOf('good great excellent love wonderful happy best nice')
const bad = vocabularyOf('bad awful terrible hate horrible sad worst poor')

/** Tells by single words whether a text is friendly. */
@injectable()
export class WordSentiment implements TextClassificationCapability {
  constructor(@inject(options) private readonly options: ReferenceOptions) {}

  async classify({ inputs }: TextClassificationRequest, call: Call): Promise<TextClassificationResult> {
    await pause(this.options, call)
    return { labels: inputs.map(({ text, pair = '' }) => labelsOf(vocabularyOf(`${text} ${pair}`))) }
  }
}

const labelsOf = (words: ReadonlySet<string>) => {
  const count = (list: ReadonlySet<string>) => [...list].filter((word) => words.has(word)).length
  const balance = count(good) - count(bad)
  const positive = 1 / (1 + Math.exp(-balance))
  return [
    { label: 'positive', score: positive },
    { label: 'negative', score: 1 - positive },
  ].sort((a, b) => b.score - a.score)
}
