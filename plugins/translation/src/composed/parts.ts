import { embedding, failure, namedModel, translation } from '@sallyport/core'
import type { EmbeddingCapability, Kernel, ModelSpec, Served, TranslationCapability } from '@sallyport/core'
import { checkedTag } from '../pairs.js'
import type { TranslationOptions } from './options.js'

type Spec = ModelSpec<TranslationOptions>

/** A model with translation. */
export interface NamedEngine {
  /** The name in the options. */
  readonly name: string
  readonly service: () => Served<TranslationCapability>
}

export interface EngineRule {
  readonly source?: string
  readonly target?: string
  readonly engines: readonly NamedEngine[]
}

export interface Parts {
  /** The first one that fits a pair applies; the last one fits all. */
  readonly orders: readonly EngineRule[]
  readonly engines: readonly NamedEngine[]
  readonly embed: (() => Served<EmbeddingCapability>) | undefined
}

/** The models that the options name. @throws model_invalid */
export const modelsOf = (spec: Spec, models: Kernel): Parts => {
  const { id, options } = spec
  const engines = options.engines.map((name, index) => {
    const reference = { id, name, option: ['engines', index] }
    return { name, service: namedModel(models, reference, translation) }
  })
  const { vectors } = options
  return {
    orders: [...options.order.map((_, index) => resolveOrder(spec, index, engines)), { engines }],
    engines,
    embed:
      vectors === undefined ? undefined : namedModel(models, { id, name: vectors, option: ['vectors'] }, embedding),
  }
}

const resolveOrder = ({ id, options }: Spec, index: number, engines: readonly NamedEngine[]): EngineRule => {
  const { source, target, engines: names } = options.order[index] ?? { engines: [] }
  const tag = (side: 'source' | 'target', written: string | undefined) =>
    written === undefined ? {} : { [side]: checkedTag(id, written, ['order', index, side]) }
  const found = names.map((name, place) => {
    const engine = engines.find((one) => one.name === name)
    if (engine) return engine
    const problem = `its option order names "${name}", which is not among its engines (${options.engines.join(', ')})`
    throw failure('model_invalid', { model: id, problem, option: ['order', index, 'engines', place] })
  })
  return { ...tag('source', source), ...tag('target', target), engines: found }
}
