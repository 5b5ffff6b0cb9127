import type { ModelSpec } from '@sallyport/core'
import type { WhisperOptions } from '../../src/options.js'
import { parrotModel, parrotVocabulary } from './parrot.js'

export const loadOptions: WhisperOptions = { weights: 'int8', queue: 64, threads: 1 }

/** Files of a model that says these words. */
export const parrotFiles = (
  file: (content: Uint8Array | string) => string,
  words: readonly string[],
  seconds = 1,
): ModelSpec['files'] => ({
  model: file(parrotModel(words, seconds)),
  'vocabulary.txt': file(parrotVocabulary(words)),
})
