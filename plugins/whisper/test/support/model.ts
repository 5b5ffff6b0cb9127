import type { Logger, ModelSpec } from '@sallyport/core'
import type { WhisperOptions } from '../../src/options.js'
import { parrotModel, parrotVocabulary } from './parrot.js'

const nothing = () => undefined

export const quiet: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, child: () => quiet }

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
