import { isRecord } from '@sallyport/kit/json'
import { invalidModel, readJson } from './files.js'

/** The settings of a Marian model from its config.json and generation_config.json. */
export interface MarianConfig {
  readonly startId: number
  readonly endId: number
  readonly padId: number
  readonly banned: readonly (readonly number[])[]
  /** The maximum of tokens in a text, and in its translation, special tokens included. */
  readonly contextLength: number
  readonly heads: number
  /** The size of a key or value of one attention head. */
  readonly headSize: number
}

/** @throws model_invalid */
export const loadConfig = async (model: string, files: Readonly<Record<string, string>>): Promise<MarianConfig> => {
  const config = await readObject(model, files['model'], 'config.json')
  const generation = await readObject(model, files['generation_config.json'], 'generation_config.json')
  const all = { ...config, ...generation }
  const number = (name: string, fallback?: number): number => {
    const value = all[name] ?? fallback
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
    throw invalidModel(model, `its config.json states no valid ${name}`)
  }
  const padId = number('pad_token_id')
  const heads = number('decoder_attention_heads', 8)
  return {
    padId,
    startId: number('decoder_start_token_id', padId),
    endId: number('eos_token_id', 0),
    banned: bannedIn(all['bad_words_ids']) ?? [[padId]],
    contextLength: number('max_position_embeddings', 512),
    heads,
    headSize: Math.floor(number('d_model', 512) / Math.max(1, heads)),
  }
}

const readObject = async (model: string, path: string | undefined, name: string): Promise<Record<string, unknown>> => {
  const value = path === undefined ? {} : await readJson(model, path, name)
  if (isRecord(value)) return value
  throw invalidModel(model, `its ${name} is not a JSON object`)
}

const bannedIn = (value: unknown): number[][] | undefined =>
  Array.isArray(value) && value.every((ids) => Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id)))
    ? (value as number[][])
    : undefined
