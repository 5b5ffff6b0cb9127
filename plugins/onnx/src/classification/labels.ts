import { sigmoid, softmax } from '../statistics.js'
import { isRecord } from '@sallyport/kit/json'

/** What a classifier's config.json says about its output. */
export interface Labels {
  /** In the order of the output. */
  readonly names: readonly string[]
  /** `softmax`: exactly one label applies; `sigmoid`: each label applies or not by itself. */
  readonly activation: 'softmax' | 'sigmoid'
}

/** @param config the parsed config.json, if there is one */
export const labelsOf = (config: unknown): Labels => {
  const { id2label, problem_type: problem }: Record<string, unknown> = isRecord(config) ? config : {}
  const names: string[] = []
  for (const [id, name] of Object.entries(isRecord(id2label) ? id2label : {}))
    if (/^\d{1,4}$/.test(id)) names[Number(id)] = String(name)
  return {
    names: Array.from(names, (_, id) => nameOf({ names }, id)),
    activation: problem === 'multi_label_classification' || names.length === 1 ? 'sigmoid' : 'softmax',
  }
}

/** A label without a name has the one that the transformers library would give it. */
export const nameOf = ({ names }: Pick<Labels, 'names'>, id: number): string => names[id] ?? `LABEL_${id}`

/** Applies the activation to the logits of one text or token: scores from 0 to 1. */
export const scoresOf = (logits: Float32Array, activation: Labels['activation']): number[] =>
  activation === 'sigmoid' ? Array.from(logits, sigmoid) : softmax(logits)
