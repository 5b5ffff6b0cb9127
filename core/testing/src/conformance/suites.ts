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
} from '@sallyport/core'
import type { Capability } from '@sallyport/core'
import { factuality, injection, pii, toxicity } from '@sallyport/checks'
import type { ConformanceCase } from './case.js'
import { chatCases } from './chat.js'
import { completionCases } from './completion.js'
import { factualityCases, injectionCases, toxicityCases } from './detectors.js'
import { embeddingCases } from './embedding.js'
import { extractionCases } from './extraction.js'
import { imageClassificationCases } from './image-classification.js'
import { inferenceCases } from './inference.js'
import { piiCases } from './pii.js'
import { rerankCases } from './rerank.js'
import { textClassificationCases } from './text-classification.js'
import { tokenClassificationCases } from './token-classification.js'
import { tokensCases } from './tokens.js'
import { toolsCases } from './tools.js'
import { transcriptionCases } from './transcription.js'
import { translationCases } from './translation.js'

const suite = <Service extends object>(
  { name }: Capability<Service>,
  cases: readonly ConformanceCase<NoInfer<Service>>[],
): [string, readonly ConformanceCase[]] => [name, cases]

/** The cases by the name of the capability. */
export const suites: ReadonlyMap<string, readonly ConformanceCase[]> = new Map([
  suite(chat, chatCases),
  suite(completion, completionCases),
  suite(embedding, embeddingCases),
  suite(rerank, rerankCases),
  suite(tokens, tokensCases),
  suite(transcription, transcriptionCases),
  suite(extraction, extractionCases),
  suite(translation, translationCases),
  suite(injection, injectionCases),
  suite(pii, piiCases),
  suite(toxicity, toxicityCases),
  suite(factuality, factualityCases),
  suite(tools, toolsCases),
  suite(textClassification, textClassificationCases),
  suite(tokenClassification, tokenClassificationCases),
  suite(imageClassification, imageClassificationCases),
  suite(inference, inferenceCases),
])
