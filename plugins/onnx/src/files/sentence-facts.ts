import { failure } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import type { Pooling } from '../encoder/rows.js'
import type { ModelFolder } from './model-folder.js'

/** What a model's own files say about its vectors; absent is what they leave open. */
export interface SentenceFacts {
  readonly pooling?: Pooling
  readonly normalize?: boolean
  readonly prefixes: { readonly query?: string; readonly document?: string }
  /** Lengths to which vectors may be cut (Matryoshka). */
  readonly dimensions?: readonly number[]
  /** Layers behind the pooling, which the graph must hold itself. */
  readonly furtherLayers: readonly string[]
}

/** @throws model_invalid */
export const sentenceFacts = (folder: ModelFolder): SentenceFacts => {
  const modules = folder.list('modules.json')?.map(({ type }) => String(type).split('.').at(-1) ?? '')
  const pooling = poolingOf(folder)
  const dimensions = numbers(folder.json('config.json')?.['matryoshka_dimensions'])
  return {
    ...(pooling && { pooling }),
    ...(modules && { normalize: modules.includes('Normalize') }),
    ...(dimensions.length > 0 && { dimensions }),
    prefixes: prefixesOf(folder),
    furtherLayers: (modules ?? []).filter((name) => !['Transformer', 'Pooling', 'Normalize'].includes(name)),
  }
}

const modes: readonly (readonly [flag: string, pooling: Pooling])[] = [
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_lasttoken', 'last'],
  ['pooling_mode_max_tokens', 'max'],
]
const names: Readonly<Record<string, Pooling>> = { mean: 'mean', cls: 'cls', lasttoken: 'last', max: 'max' }

const poolingOf = (folder: ModelFolder): Pooling | undefined => {
  const config = folder.json('1_Pooling/config.json')
  if (!config) return undefined
  const asked = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true)
  const found =
    typeof config['pooling_mode'] === 'string'
      ? names[config['pooling_mode']]
      : modes.find(([flag]) => asked.length === 1 && flag === asked[0])?.[1]
  if (found || (asked.length === 0 && config['pooling_mode'] === undefined)) return found
  const problem = 'its way of pooling is not supported: set the option "pooling" to mean, cls, last or max'
  throw failure('model_invalid', { model: folder.model, problem })
}

/** Names that publishers give to prompts, the most specific first. */
const promptNames = {
  query: ['query', 's2p_query', 'retrieval.query', 'search_query'],
  document: ['document', 'passage', 'retrieval.passage', 'search_document'],
} as const

const prefixesOf = (folder: ModelFolder): SentenceFacts['prefixes'] => {
  const prompts = folder.json('config_sentence_transformers.json')?.['prompts']
  if (!isRecord(prompts)) return {}
  const find = (candidates: readonly string[]) =>
    candidates.map((name) => prompts[name]).find((prompt) => typeof prompt === 'string')
  const [query, document] = [find(promptNames.query), find(promptNames.document)]
  return { ...(query !== undefined && { query }), ...(document !== undefined && { document }) }
}

const numbers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => Number.isInteger(one) && one > 0) : []
