/** Each reference backend and what the conformance kit must know of it. */

import type {
  ChatCapability,
  CompletionCapability,
  EmbeddingCapability,
  ExtractionCapability,
  ImageClassificationCapability,
  InferenceCapability,
  SpanDetector,
  RerankCapability,
  Detector,
  Tensor,
  TextClassificationCapability,
  TokenClassificationCapability,
  TokensCapability,
  ToolsCapability,
  TranscriptionCapability,
  TranslationCapability,
} from '@sallyport/core'
import type { ModelFacts } from '../../src/index.js'
import { sampleFile } from '../../src/conformance/samples.js'
import { otherTonesWav, tonesWav } from '../../src/conformance/audio.js'
import * as reference from '../../src/reference/index.js'

export interface Reference<Service> {
  readonly create: () => Service
  readonly facts: ModelFacts
}

const options: reference.ReferenceOptions = { delay: 0 }

const define = <Service>(create: () => Service, facts: ModelFacts = {}): Reference<Service> => ({ create, facts })

const tensor = (rows: number, values: readonly number[]): Tensor => ({
  type: 'FP32',
  shape: [rows, 3],
  data: new Uint8Array(Float32Array.from(values).buffer),
})

const english = { source: 'en', target: 'de' }

export const references = {
  chat: define<ChatCapability>(() => new reference.EchoChat(options), {
    contextLength: reference.EchoChat.contextLength,
    features: { tools: true, reasoning: true },
  }),
  completion: define<CompletionCapability>(() => new reference.MarkovCompletion(options), {
    contextLength: reference.MarkovCompletion.contextLength,
  }),
  embedding: define<EmbeddingCapability>(() => new reference.TrigramEmbedding(options), {
    contextLength: reference.TrigramEmbedding.contextLength,
    dimensions: reference.TrigramEmbedding.dimensions,
  }),
  rerank: define<RerankCapability>(() => new reference.OverlapRerank(options)),
  tokens: define<TokensCapability>(() => new reference.ByteTokens(options)),
  transcription: define<TranscriptionCapability>(() => new reference.LoudnessTranscription(options), {
    recordings: [
      { file: sampleFile(tonesWav), words: ['loud', 'soft'] },
      { file: sampleFile(otherTonesWav), words: ['loud', 'soft', 'fair'] },
    ],
  }),
  extraction: define<ExtractionCapability>(() => new reference.PlainExtraction(options)),
  translation: define<TranslationCapability>(() => new reference.DictionaryTranslation(options), {
    translations: [
      { ...english, text: 'The cat drinks water.', expected: 'Katze' },
      { ...english, text: 'Hello world!', expected: 'Welt' },
    ],
  }),
  injection: define<Detector>(() => new reference.OrderInjection(options)),
  pii: define<SpanDetector>(() => new reference.PatternPii(options)),
  toxicity: define<Detector>(() => new reference.WordToxicity(options)),
  factuality: define<Detector>(() => new reference.CoverageFactuality(options)),
  tools: define<ToolsCapability>(() => new reference.MemoryTools(options), {
    toolCalls: [
      { server: 'reference', name: 'add', arguments: { a: 2, b: 3 } },
      { server: 'reference', name: 'echo', arguments: { text: 'hello' } },
    ],
    failingToolCall: { server: 'reference', name: 'add', arguments: { a: 'two' } },
  }),
  textClassification: define<TextClassificationCapability>(() => new reference.WordSentiment(options)),
  tokenClassification: define<TokenClassificationCapability>(() => new reference.CapitalNames(options)),
  imageClassification: define<ImageClassificationCapability>(() => new reference.ShapeClassification(options)),
  inference: define<InferenceCapability>(() => new reference.LinearInference(options), {
    tensors: [{ x: tensor(2, [1, 2, 3, -1, 0.5, 0]) }, { x: tensor(1, [3, 2, 1]) }],
  }),
} as const
