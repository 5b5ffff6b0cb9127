import { setTimeout as sleep } from 'node:timers/promises'
import { otherModel, textClassification } from '@sallyport/core'
import type { Kernel, ModelSpec } from '@sallyport/core'
import { modelFolder } from './files.js'
import { WindowClassifier } from './heads/classifier.js'
import { WordPieceTokenizer } from './heads/wordpiece.js'

/** The tokenizer of the model `guard`, in whose subwords windows are measured. */
export const loadTokenizer = (): Promise<WordPieceTokenizer> =>
  WordPieceTokenizer.load(new URL('guard/tokenizer.json', modelFolder))

interface Composed {
  readonly spec: ModelSpec
  readonly model: string
  readonly labels: readonly string[]
}

/**
 * A classifier that has been tested with one call. It waits for the model, as models load concurrently.
 * @throws model_invalid where the option names no other model with text-classification, or one without the first label
 */
export const windowClassifier = async (
  { spec, model, labels }: Composed,
  models: Kernel,
): Promise<WindowClassifier> => {
  const other = classifierOf(spec, model, models)
  const classifier = new WindowClassifier(other, labels, model)
  while (models.state === 'starting' && models.modelState(model) === 'loading') await sleep(poll)
  await classifier.check()
  return classifier
}

/** Milliseconds between two checks of whether a model is loaded. */
const poll = 20

/** @throws model_invalid where the option names no other model with text-classification */
const classifierOf = ({ id, files }: ModelSpec, model: string, models: Kernel) =>
  otherModel(models, { id, files, options: { model } }, 'model', textClassification)

/** Validates the option `model` for `sallyport check`. */
export const checkClassifier = (spec: ModelSpec, models: Kernel): void => {
  const { model } = spec.options as { readonly model?: string | null }
  if (model) classifierOf(spec, model, models)
}
