import { failure } from '@sallyport/core'
import type { VectorFacts } from '../embedding.js'
import { pooledRows, unitRows, wholeRows } from '../encoder/rows.js'
import type { Pooling, ReadRows } from '../encoder/rows.js'
import type { ModelFolder } from './model-folder.js'
import type { ModelKind } from '../model-kind.js'
import type { OnnxOptions } from '../options.js'
import { isRecord } from '@sallyport/kit/json'

/** What a model's own files state about its vectors; fields are absent where they state nothing. */
export interface SentenceFacts {
  readonly pooling?: Pooling
  readonly normalize?: boolean
  readonly prefixes: { readonly query?: string; readonly document?: string }
  /** Lengths to which vectors may be cut (Matryoshka). */
  readonly dimensions?: readonly number[]
  /** Layers after the pooling, which the graph must contain itself. */
  readonly furtherLayers: readonly string[]
}

/** @throws model_invalid */
export const sentenceFacts = (folder: ModelFolder): SentenceFacts => {
  const modules = folder.list('modules.json')?.map(({ type }) => String(type).split('.').at(-1) ?? '')
  const pooling = poolingOf(folder)
  const dimensions = positiveIntegers(folder.json('config.json')?.['matryoshka_dimensions'])
  return {
    ...(pooling && { pooling }),
    ...(modules && { normalize: modules.includes('Normalize') }),
    ...(dimensions.length > 0 && { dimensions }),
    prefixes: prefixesOf(folder),
    furtherLayers: (modules ?? []).filter((name) => !['Transformer', 'Pooling', 'Normalize'].includes(name)),
  }
}

const poolingFlags: readonly (readonly [flag: string, pooling: Pooling])[] = [
  ['pooling_mode_mean_tokens', 'mean'],
  ['pooling_mode_cls_token', 'cls'],
  ['pooling_mode_lasttoken', 'last'],
  ['pooling_mode_max_tokens', 'max'],
]
const poolingNames: Readonly<Record<string, Pooling>> = { mean: 'mean', cls: 'cls', lasttoken: 'last', max: 'max' }

const poolingOf = (folder: ModelFolder): Pooling | undefined => {
  const config = folder.json('1_Pooling/config.json')
  if (!config) return undefined
  const enabled = Object.keys(config).filter((key) => key.startsWith('pooling_mode_') && config[key] === true)
  const found =
    typeof config['pooling_mode'] === 'string'
      ? poolingNames[config['pooling_mode']]
      : poolingFlags.find(([flag]) => enabled.length === 1 && flag === enabled[0])?.[1]
  if (found || (enabled.length === 0 && config['pooling_mode'] === undefined)) return found
  const problem = 'its way of pooling is not supported: set the option "pooling" to mean, cls, last or max'
  throw failure('model_invalid', { model: folder.model, problem })
}

/** The names that publishers give to prompts, the most specific first. */
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

const positiveIntegers = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((one): one is number => Number.isInteger(one) && one > 0) : []

export interface SentenceVectors {
  /** The width is known only when the model has made a vector. */
  readonly facts: Omit<VectorFacts, 'width'>
  readonly readRows: ReadRows
}

/**
 * How a model's output becomes the vectors of texts. Options come before the model's files, and these before defaults.
 * @throws model_invalid
 */
export const sentenceVectors = (
  folder: ModelFolder,
  { pooled }: Extract<ModelKind, { readonly kind: 'encoder' }>,
  options: Pick<OnnxOptions, 'pooling' | 'normalize' | 'prefixes' | 'dimensions'>,
): SentenceVectors => {
  const stated = sentenceFacts(folder)
  const layer = stated.furtherLayers[0]
  if (!pooled && layer !== undefined)
    throw failure('model_invalid', { model: folder.model, problem: missingLayer(layer) })
  const normalize = options.normalize ?? stated.normalize ?? true
  const rows = pooled ? wholeRows : pooledRows(options.pooling ?? stated.pooling ?? 'mean')
  return {
    readRows: normalize ? unitRows(rows) : rows,
    facts: {
      normalize,
      prefixes: { ...stated.prefixes, ...options.prefixes },
      dimensions: options.dimensions ?? stated.dimensions ?? [],
    },
  }
}

const missingLayer = (layer: string) =>
  `it needs a layer behind the pooling (${layer.slice(0, 40)}) that its ONNX file lacks: export it whole`
