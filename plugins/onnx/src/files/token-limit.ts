import { isRecord } from '@sallyport/kit/json'
import { minOf } from '@sallyport/kit/lists'
import type { ModelFolder } from './model-folder.js'

/** Above it, `model_max_length` says that nobody knows. */
const plausible = 1_000_000

/**
 * The longest text that the model's files, or the catalogue, tell of, in tokens, special ones included; undefined where
 * they tell nothing.
 * What tokenizer.json says under `truncation` is not asked: it is how the tokenizer was last used.
 */
export const tokenLimit = (folder: ModelFolder): number | undefined => {
  const stated = [
    tokenPositions(folder),
    folder.contextLength,
    number(folder.json('sentence_bert_config.json')?.['max_seq_length']),
    number(folder.json('tokenizer_config.json')?.['model_max_length']),
  ].filter((limit): limit is number => limit !== undefined)
  return stated.length > 0 ? minOf(stated) : undefined
}

/** Tokens for which the model has positions: it fails at longer texts. Undefined where config.json does not tell. */
export const tokenPositions = (folder: ModelFolder): number | undefined => {
  const config = folder.json('config.json')
  return positions(config) ?? positions(config?.['text_config'])
}

/** Models of RoBERTa's kind count their positions from behind the padding's id. */
const positions = (config: unknown): number | undefined => {
  if (!isRecord(config)) return undefined
  const all = number(config['max_position_embeddings'])
  const type = config['model_type']
  const counted = typeof type === 'string' && /roberta|camembert|mpnet/.test(type)
  return all !== undefined && counted ? all - 2 : all
}

const number = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < plausible ? value : undefined
