import { setTimeout as sleep } from 'node:timers/promises'
import { otherModel, textClassification } from '@sallyport/core'
import type { Kernel, ModelSpec } from '@sallyport/core'
import { modelFolder } from './files.js'
import { WindowClassifier } from './classifiers/window-classifier.js'
import { WordPieceTokenizer } from './classifiers/wordpiece.js'

/** The tokenizer of the model `guard`, in whose subwords windows are measured. */
export const loadTokenizer = (): Promise<WordPieceTokenizer> =>
  WordPieceTokenizer.load(new URL('guard/tokenizer.json', modelFolder))

/** What a classifier is made from. */
interface ClassifierSource {
  readonly spec: ModelSpec
  readonly model: string
  readonly labels: readonly string[]
}

/**
 * Waits until the model has loaded, as models load concurrently, and tests it with one call.
 * @throws model_invalid where the option names no other model with text-classification, or one without the first label
 */
export const windowClassifier = async (
  { spec, model, labels }: ClassifierSource,
  kernel: Kernel,
): Promise<WindowClassifier> => {
  const other = classifierOf(spec, model, kernel)
  const classifier = new WindowClassifier(other, labels, model)
  while (kernel.state === 'starting' && kernel.modelState(model) === 'loading') await sleep(pollIntervalMs)
  await classifier.check()
  return classifier
}

/** The time between two checks of whether a model is loaded. */
const pollIntervalMs = 20

/** @throws model_invalid where the option names no other model with text-classification */
const classifierOf = ({ id, files }: ModelSpec, model: string, kernel: Kernel) =>
  otherModel(kernel, { id, files, options: { model } }, 'model', textClassification)

/** Validates the option `model` for `sallyport check`. */
export const checkClassifier = (spec: ModelSpec, kernel: Kernel): void => {
  const { model } = spec.options as { readonly model?: string | null }
  if (model) classifierOf(spec, model, kernel)
}
