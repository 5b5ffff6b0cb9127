/**
 * A detector of one's own, in one file: what has one of the configuration's words in it counts as toxic.
 *
 *     plugins: ['@sallyport/koa', ./house-words.ts]
 *     models:
 *       house-words: { backend: house-words, options: { words: [drat, crikey] } }
 *     policies:
 *       default: { output: { toxicity: true } }
 */
import { definePlugin, inject, injectable, modelSpec, provide } from '@sallyport/core'
import type {
  Finding,
  Inspection,
  InspectionRequest,
  Call,
  LoadedModel,
  ModelBackend,
  ModelSpec,
  Detector,
} from '@sallyport/core'
import { toxicity } from '@sallyport/checks'

interface HouseWordsOptions {
  words: string[]
}

@injectable()
class HouseWords implements ModelBackend, Detector {
  private readonly pattern: RegExp

  constructor(@inject(modelSpec) { options }: ModelSpec<HouseWordsOptions>) {
    this.pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${options.words.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
  }

  load(): Promise<LoadedModel> {
    return Promise.resolve({ provides: [provide(toxicity, this)] })
  }

  /**
   * Reports and never decides: policies do. What it throws blocks. `before` of the request is what stands before the
   * text, for those that look at it; nothing is reported of that.
   */
  inspect({ text }: InspectionRequest, { signal }: Call): Promise<Inspection> {
    signal.throwIfAborted()
    const started = performance.now()
    const findings = [...text.matchAll(this.pattern)].map(
      // In UTF-16 code units, half-open.
      ({ 0: word, index }): Finding => ({ type: 'house_word', start: index, end: index + word.length, score: 0.9 }),
    )
    return Promise.resolve({
      findings,
      // Of the text as a whole: 1 is the bad end.
      score: findings.length ? 0.9 : 0,
      // For a person, without quoting the text.
      explanation: findings.length ? 'it has words that are not used here' : 'it has no word of the list',
      detector: 'house-words/1',
      latency: performance.now() - started,
    })
  }
}

export default definePlugin({
  name: 'house-words',
  backends: {
    'house-words': {
      description: 'Text with words of a list.',
      capabilities: [toxicity],
      class: HouseWords,
      files: 'none',
      options: {
        type: 'object',
        required: ['words'],
        properties: {
          words: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[\\p{L}\\p{N}]+$' } },
        },
      },
    },
  },
})
