import { setTimeout as sleep } from 'node:timers/promises'
import { otherModel, textClassification } from '@sallyport/core'
import type { Kernel, ModelSpec } from '@sallyport/core'
import { modelFolder } from './files.js'
import { WindowClassifier } from './heads/classifier.js'
import { WordPieces } from './heads/word-pieces.js'

/** The vocabulary of the model `guard`, by which windows are measured. */
export const wordPieces = (): Promise<WordPieces> => WordPieces.load(new URL('guard/tokenizer.json', modelFolder))

interface Composed {
  readonly spec: ModelSpec
  readonly model: string
  readonly labels: readonly string[]
}

/**
 * A classifier that has been asked once. Models load side by side: it waits for this one.
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

/** Milliseconds between two looks at whether a model is loaded. */
const poll = 20

/** @throws model_invalid where the option names no other model with text-classification */
const classifierOf = ({ id, files }: ModelSpec, model: string, models: Kernel) =>
  otherModel(models, { id, files, options: { model } }, 'model', textClassification)

/** For `sallyport check`. */
export const checkClassifier = (spec: ModelSpec, models: Kernel): void => {
  const { model } = spec.options as { readonly model?: string | null }
  if (model) classifierOf(spec, model, models)
}
