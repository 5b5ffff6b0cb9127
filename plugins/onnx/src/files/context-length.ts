import { isRecord } from '@sallyport/kit/json'
import { minOf } from '@sallyport/kit/lists'
import type { ModelFiles } from './model-files.js'

/** Publishers write huge numbers as `model_max_length` where they do not know the limit. */
const maxPlausible = 1_000_000

/**
 * The maximum of tokens in a text, special tokens included, as the model's files or the catalogue state it; undefined
 * where they state none. The `truncation` of tokenizer.json is ignored, because it only shows how the tokenizer was
 * last used.
 */
export const contextLengthOf = (files: ModelFiles): number | undefined => {
  const stated = [
    maxPositions(files),
    files.contextLength,
    plausibleLimit(files.json('sentence_bert_config.json')?.['max_seq_length']),
    plausibleLimit(files.json('tokenizer_config.json')?.['model_max_length']),
  ].filter((limit): limit is number => limit !== undefined)
  return stated.length > 0 ? minOf(stated) : undefined
}

/** How many positions the model has; it fails on longer texts. Undefined where config.json does not state it. */
export const maxPositions = (files: ModelFiles): number | undefined => {
  const config = files.json('config.json')
  return positionsIn(config) ?? positionsIn(config?.['text_config'])
}

/** Models derived from RoBERTa number their positions from the id of the padding plus one, so two cannot be used. */
const positionsIn = (config: unknown): number | undefined => {
  if (!isRecord(config)) return undefined
  const all = plausibleLimit(config['max_position_embeddings'])
  const type = config['model_type']
  const isOffset = typeof type === 'string' && /roberta|camembert|mpnet/.test(type)
  return all !== undefined && isOffset ? all - 2 : all
}

const plausibleLimit = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < maxPlausible ? value : undefined
