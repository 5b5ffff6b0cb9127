import { failure } from '@sallyport/core'
import type { VectorFacts } from './embedding.js'
import { pooledRows, unitRows, wholeRows } from './encoder/rows.js'
import type { ReadRows } from './encoder/rows.js'
import type { ModelFolder } from './files/model-folder.js'
import { sentenceFacts } from './files/sentence-facts.js'
import type { ModelKind } from './model-kind.js'
import type { OnnxOptions } from './options.js'

export interface SentenceVectors {
  /** Their own length is known when the model has made one. */
  readonly facts: Omit<VectorFacts, 'width'>
  readonly readRows: ReadRows
}

/** How a model's output becomes the vectors of texts: as its options say, then its files, then by custom. */
export const sentenceVectors = (
  folder: ModelFolder,
  { pooled }: Extract<ModelKind, { readonly kind: 'encoder' }>,
  options: Pick<OnnxOptions, 'pooling' | 'normalize' | 'prefixes' | 'dimensions'>,
): SentenceVectors => {
  const known = sentenceFacts(folder)
  const layer = known.furtherLayers[0]
  if (!pooled && layer !== undefined)
    throw failure('model_invalid', { model: folder.model, problem: missingLayer(layer) })
  const normalize = options.normalize ?? known.normalize ?? true
  const rows = pooled ? wholeRows : pooledRows(options.pooling ?? known.pooling ?? 'mean')
  return {
    readRows: normalize ? unitRows(rows) : rows,
    facts: {
      normalize,
      prefixes: { ...known.prefixes, ...options.prefixes },
      dimensions: options.dimensions ?? known.dimensions ?? [],
    },
  }
}

const missingLayer = (layer: string) =>
  `it needs a layer behind the pooling (${layer.slice(0, 40)}) that its ONNX file lacks: export it whole`
