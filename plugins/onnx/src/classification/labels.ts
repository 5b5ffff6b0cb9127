import { failure } from '@sallyport/core'
import { sigmoid, softmax } from '../statistics.js'
import { isRecord } from '@sallyport/kit/json'
import { firstRepeated } from '@sallyport/kit/lists'

/** What a classifier's config.json says about its output. */
export interface Labels {
  /** In the order of the output. */
  readonly names: readonly string[]
  /** `softmax`: exactly one label applies; `sigmoid`: each label applies or not by itself. */
  readonly activation: 'softmax' | 'sigmoid'
}

/**
 * @param config the parsed config.json, if there is one
 * @param model its id, for messages
 * @throws model_invalid where two outputs have one label
 */
export const labelsOf = (config: unknown, model: string): Labels => {
  const { id2label, problem_type: problem }: Record<string, unknown> = isRecord(config) ? config : {}
  const names: string[] = []
  for (const [id, name] of Object.entries(isRecord(id2label) ? id2label : {}))
    if (/^\d{1,4}$/.test(id)) names[Number(id)] = String(name)
  const all = Array.from(names, (_, id) => nameOf({ names }, id))
  const repeated = firstRepeated(all)
  if (repeated !== undefined) {
    const problem = `two labels of its config.json are "${repeated.slice(0, 64)}": give each output one of its own in id2label`
    throw failure('model_invalid', { model, problem })
  }
  return {
    names: all,
    activation: problem === 'multi_label_classification' || names.length === 1 ? 'sigmoid' : 'softmax',
  }
}

/** A label without a name has the one that the transformers library would give it. */
export const nameOf = ({ names }: Pick<Labels, 'names'>, id: number): string => names[id] ?? `LABEL_${id}`

/** Applies the activation to the logits of one text or token: scores from 0 to 1. */
export const scoresOf = (logits: Float32Array, activation: Labels['activation']): number[] =>
  activation === 'sigmoid' ? Array.from(logits, sigmoid) : softmax(logits)
