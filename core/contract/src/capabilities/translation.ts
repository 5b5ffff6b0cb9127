import type { Call } from './call.js'
import { capability } from './capability.js'
import { opaque } from './fields.js'
import { list, oneOf } from './shape.js'

export interface LanguagePair {
  /** BCP-47. */
  source: string
  target: string
}

export interface TranslationRequest extends LanguagePair {
  text: string
}

export interface TranslationCandidate {
  translation: string
  /** Sanity score in 0..1, which shows broken output but does not rank engines. */
  score: number
  /** The engine. */
  model: string
  /** `vetoed`: unfinished, or the sanity score is too low; `failed`: the engine gave nothing. */
  status: 'success' | 'vetoed' | 'failed'
}

export interface TranslationResult {
  /** The candidates of all engines that ran, best first. */
  candidates: TranslationCandidate[]
}

/** Translates texts. */
export interface TranslationCapability {
  /** @throws unsupported, with the supported pairs; overloaded. */
  translate(request: TranslationRequest, call: Call): Promise<TranslationResult>
  /** The language pairs that can be translated now. */
  pairs(request: Record<never, never>, call: Call): Promise<{ pairs: LanguagePair[] }>
}

export const translation = capability<TranslationCapability>()('translation', {
  guarded: true,
  methods: {
    translate: {
      kind: 'call',
      request: { text: 'text', source: opaque('checked against a list'), target: opaque('checked against a list') },
      result: {
        candidates: list({
          translation: 'text',
          score: 'number',
          model: opaque('the name of an engine'),
          status: oneOf('success', 'vetoed', 'failed'),
        }),
      },
    },
    pairs: {
      kind: 'call',
      request: {},
      result: { pairs: list({ source: opaque('a language tag'), target: opaque('a language tag') }) },
    },
  },
})
