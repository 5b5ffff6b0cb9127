/** One small deterministic backend per capability, for tests and examples. */

import 'reflect-metadata'
import {
  chat,
  completion,
  embedding,
  extraction,
  imageClassification,
  inference,
  rerank,
  textClassification,
  tokenClassification,
  tokens,
  tools,
  transcription,
  translation,
  definePlugin,
} from '@sallyport/core'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import { referenceOptions } from './backend.js'
import { EchoChat } from './chat.js'
import { CapitalNames, ShapeClassification, WordSentiment } from './classification.js'
import { MarkovCompletion } from './completion.js'
import { CoverageFactuality, OrderInjection, WordToxicity } from './detectors.js'
import { TrigramEmbedding } from './embedding.js'
import { PlainExtraction } from './extraction.js'
import { LinearInference } from './inference.js'
import { PatternPii } from './pii.js'
import { OverlapRerank } from './rerank.js'
import { ByteTokens } from './tokens.js'
import { MemoryTools } from './tools.js'
import { LoudnessTranscription } from './transcription.js'
import { DictionaryTranslation } from './translation.js'

const { contextLength } = EchoChat

/** A plugin with a model for every capability, named `reference-<capability>`. */
export const referencePlugin = definePlugin({
  name: '@sallyport/testing/reference',
  options: referenceOptions,
  models: {
    'reference-chat': { capability: chat, class: EchoChat, contextLength, features: { tools: true, reasoning: true } },
    'reference-completion': {
      capability: completion,
      class: MarkovCompletion,
      contextLength: MarkovCompletion.contextLength,
    },
    'reference-embedding': {
      capability: embedding,
      class: TrigramEmbedding,
      contextLength: TrigramEmbedding.contextLength,
    },
    'reference-rerank': { capability: rerank, class: OverlapRerank },
    'reference-tokens': { capability: tokens, class: ByteTokens },
    'reference-transcription': { capability: transcription, class: LoudnessTranscription },
    'reference-extraction': { capability: extraction, class: PlainExtraction },
    'reference-translation': { capability: translation, class: DictionaryTranslation },
    'reference-injection': { capability: injection, class: OrderInjection },
    'reference-pii': { capability: pii, class: PatternPii, entityTypes: ['CREDIT_CARD', 'EMAIL_ADDRESS'] },
    'reference-toxicity': { capability: toxicity, class: WordToxicity },
    'reference-factuality': { capability: factuality, class: CoverageFactuality },
    'reference-tools': { capability: tools, class: MemoryTools },
    'reference-text-classification': { capability: textClassification, class: WordSentiment },
    'reference-token-classification': { capability: tokenClassification, class: CapitalNames },
    'reference-image-classification': { capability: imageClassification, class: ShapeClassification },
    'reference-inference': { capability: inference, class: LinearInference },
  },
})

export default referencePlugin

export {
  ByteTokens,
  CapitalNames,
  CoverageFactuality,
  DictionaryTranslation,
  EchoChat,
  LinearInference,
  LoudnessTranscription,
  MarkovCompletion,
  MemoryTools,
  OrderInjection,
  OverlapRerank,
  PatternPii,
  PlainExtraction,
  ShapeClassification,
  TrigramEmbedding,
  WordSentiment,
  WordToxicity,
}
export type { ReferenceOptions } from './backend.js'
