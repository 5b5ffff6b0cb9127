import { logistic, softmax } from '../probabilities.js'
import { isRecord } from '@sallyport/kit/json'

/** What a classifier's config.json says about its output. */
export interface Labels {
  /** By their place in the output. */
  readonly names: readonly string[]
  /** `softmax`: one label is right; `sigmoid`: each is right or not by itself. */
  readonly scores: 'softmax' | 'sigmoid'
}

/** @param config the parsed config.json, if there is one */
export const labelsOf = (config: unknown): Labels => {
  const { id2label, problem_type: problem }: Record<string, unknown> = isRecord(config) ? config : {}
  const names: string[] = []
  for (const [id, name] of Object.entries(isRecord(id2label) ? id2label : {}))
    if (/^\d{1,4}$/.test(id)) names[Number(id)] = String(name)
  return {
    names: Array.from(names, (name: string | undefined, id) => name ?? defaultName(id)),
    scores: problem === 'multi_label_classification' || names.length === 1 ? 'sigmoid' : 'softmax',
  }
}

/** As transformers calls labels without a name. */
export const defaultName = (id: number) => `LABEL_${id}`

/** Logits of one text or token to scores in 0..1. */
export const scoresOf = (logits: Float32Array, scores: Labels['scores']): number[] =>
  scores === 'sigmoid' ? Array.from(logits, logistic) : softmax(logits)
