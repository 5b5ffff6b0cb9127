import { textClassification } from '@sallyport/core'
import type { Kernel, ModelSpec, TextClassificationCapability } from '@sallyport/core'
import { checkChosenModel } from '@sallyport/kit/models'
import type { ChosenModel } from '@sallyport/kit/models'
import { modelFolder } from './files.js'
import { ownModel } from './option-schemas.js'
import { WindowClassifier } from './classifiers/window-classifier.js'
import { WordPieceTokenizer } from './classifiers/wordpiece.js'

/** The tokenizer of the model `guard`, in whose subwords windows are measured. */
export const loadTokenizer = (): Promise<WordPieceTokenizer> =>
  WordPieceTokenizer.load(new URL('guard/tokenizer.json', modelFolder))

export type Classifier = ChosenModel<TextClassificationCapability>

/** Makes the classifier of windows, and tries it once. @throws model_invalid where it lacks the first label */
export const windowClassifier = async (
  { model, name }: Classifier,
  labels: readonly string[],
): Promise<WindowClassifier> => {
  const classifier = new WindowClassifier(model, labels, name)
  await classifier.check()
  return classifier
}

/** Whether a name, an id or an alias, is one of the model `guard`, with which operating points were measured. */
export const isOwnModel = (kernel: Kernel, name: string): boolean => {
  const idOf = (one: string) => kernel.describe(textClassification, one)?.id
  const id = idOf(name)
  return id !== undefined && id === idOf(ownModel)
}

/** For `sallyport check`. @throws model_invalid where the option names no other model with text-classification */
export const checkClassifier = (spec: ModelSpec, kernel: Kernel): void =>
  checkChosenModel(textClassification, spec, kernel)
