import { failure } from '@sallyport/core'
import type { EmbeddingProperties } from '../embedding.js'
import { pooledRows, unitRows, wholeRows } from '../encoder/rows.js'
import type { Pooling, ReadRows } from '../encoder/rows.js'
import type { ModelFiles } from './model-files.js'
import type { ModelTask } from '../model-task.js'
import type { OnnxOptions } from '../options.js'
import { isRecord } from '@sallyport/kit/json'

/** What a model's sentence-transformers files state about its vectors; fields are absent where they state nothing. */
interface SentenceTransformersConfig {
  readonly pooling?: Pooling
  readonly normalize?: boolean
  readonly prefixes: EmbeddingProperties['prefixes']
  /** The dimensions to which vectors may be cut. */
  readonly matryoshkaDimensions?: readonly number[]
  /** Layers after pooling, which the graph must contain. */
  readonly furtherLayers: readonly string[]
}

/** @throws model_invalid */
const sentenceTransformersConfig = (files: ModelFiles): SentenceTransformersConfig => {
  const modules = files
    .list('modules.json')
    ?.filter(isRecord)
    .map(({ type }) => String(type).split('.').at(-1) ?? '')
  const pooling = poolingOf(files)
  const matryoshkaDimensions = positiveIntegers(files.json('config.json')?.['matryoshka_dimensions'])
  return {
    ...(pooling && { pooling }),
    ...(modules && { normalize: modules.includes('Normalize') }),
    ...(matryoshkaDimensions.length > 0 && { matryoshkaDimensions }),
    prefixes: prefixesOf(files),
    furtherLayers: (modules ?? []).filter((name) => !['Transformer', 'Pooling', 'Normalize'].includes(name)),
  }
}

const flagPrefix = 'pooling_mode_'
/** By the value of `pooling_mode`, and by what follows the prefix in the flags that older files set instead. */
const poolings: Readonly<Record<string, Pooling>> = {
  ...{ mean: 'mean', cls: 'cls', lasttoken: 'last', max: 'max' },
  ...{ mean_tokens: 'mean', cls_token: 'cls', max_tokens: 'max' },
}

const poolingOf = (files: ModelFiles): Pooling | undefined => {
  const config = files.json('1_Pooling/config.json') ?? {}
  const { pooling_mode: mode } = config
  const flags = Object.keys(config).filter((key) => key.startsWith(flagPrefix) && config[key] === true)
  if (mode === undefined && flags.length === 0) return undefined
  const name = typeof mode === 'string' || flags.length !== 1 ? mode : flags[0]?.slice(flagPrefix.length)
  const found = typeof name === 'string' && Object.hasOwn(poolings, name) ? poolings[name] : undefined
  if (found) return found
  const problem = 'its pooling mode is not supported: set the option "pooling" to mean, cls, last or max'
  throw failure('model_invalid', { model: files.model, problem })
}

/** The names that publishers give to prompts, the preferred first. */
const promptNames = {
  query: ['query', 's2p_query', 'retrieval.query', 'search_query'],
  document: ['document', 'passage', 'retrieval.passage', 'search_document'],
} as const

const prefixesOf = (files: ModelFiles): SentenceTransformersConfig['prefixes'] => {
  const prompts = files.json('config_sentence_transformers.json')?.['prompts']
  if (!isRecord(prompts)) return {}
  const find = (candidates: readonly string[]) =>
    candidates.map((name) => prompts[name]).find((prompt) => typeof prompt === 'string')
  const [query, document] = [find(promptNames.query), find(promptNames.document)]
  return { ...(query !== undefined && { query }), ...(document !== undefined && { document }) }
}

const positiveIntegers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => Number.isInteger(one) && one > 0) : []

export interface EmbeddingSettings {
  /** The dimensions are known only when the model has made a vector. */
  readonly properties: Omit<EmbeddingProperties, 'dimensions'>
  readonly readRows: ReadRows
}

/**
 * How a model's output becomes the vectors of texts. Options override the model's files, and these override defaults.
 * @throws model_invalid
 */
export const embeddingSettings = (
  files: ModelFiles,
  { pooled }: Extract<ModelTask, { readonly type: 'embedding' }>,
  options: Pick<OnnxOptions, 'pooling' | 'normalize' | 'prefixes' | 'dimensions'>,
): EmbeddingSettings => {
  const stated = sentenceTransformersConfig(files)
  const layer = stated.furtherLayers[0]
  if (!pooled && layer !== undefined)
    throw failure('model_invalid', { model: files.model, problem: missingLayer(layer) })
  const normalize = options.normalize ?? stated.normalize ?? true
  const rows = pooled ? wholeRows : pooledRows(options.pooling ?? stated.pooling ?? 'mean')
  return {
    readRows: normalize ? unitRows(rows) : rows,
    properties: {
      normalize,
      prefixes: { ...stated.prefixes, ...options.prefixes },
      matryoshkaDimensions: options.dimensions ?? stated.matryoshkaDimensions ?? [],
    },
  }
}

const missingLayer = (layer: string) =>
  `it needs a layer after pooling (${layer.slice(0, 40)}), which its ONNX file lacks: export the complete model`
