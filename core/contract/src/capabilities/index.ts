/** The project's own capabilities but checks. Their names are taken; the HTTP adapter and tests walk the table. */

import { chat } from './chat.js'
import { completion } from './completion.js'
import { embedding } from './embedding.js'
import { extraction } from './extraction.js'
import { imageClassification } from './image-classification.js'
import { inference } from './inference.js'
import { rerank } from './rerank.js'
import { textClassification } from './text-classification.js'
import { tokenClassification } from './token-classification.js'
import { tokens } from './tokens.js'
import { tools } from './tools.js'
import { transcription } from './transcription.js'
import { translation } from './translation.js'

export const capabilities = {
  chat,
  completion,
  embedding,
  rerank,
  tokens,
  transcription,
  extraction,
  translation,
  tools,
  textClassification,
  tokenClassification,
  imageClassification,
  inference,
} as const

export * from './call.js'
export * from './capability.js'
export * from './chat.js'
export * from './check.js'
export * from './completion.js'
export * from './embedding.js'
export * from './extraction.js'
export * from './fields.js'
export * from './generation.js'
export * from './image-classification.js'
export * from './inference.js'
export * from './rerank.js'
export * from './detector.js'
export * from './shape.js'
export * from './text-classification.js'
export * from './token-classification.js'
export * from './tokens.js'
export * from './tools.js'
export * from './transcription.js'
export * from './translation.js'
