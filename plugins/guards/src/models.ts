import { textClassification } from '@sallyport/core'
import type { Kernel, ModelSpec, TextClassificationCapability } from '@sallyport/core'
import { checkChosenModel } from '@sallyport/kit/models'
import type { ChosenModel } from '@sallyport/kit/models'
import { modelFolder } from './files.js'
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

/** Whether the option `model` names, by an id or an alias, the model with this id, which this package brings. */
export const isModel = (kernel: Kernel, named: string | null | undefined, id: string): boolean => {
  const idOf = (name: string) => kernel.describe(textClassification, name)?.id
  const found = named ? idOf(named) : undefined
  return found !== undefined && found === idOf(id)
}

/** For `sallyport check`. @throws model_invalid where the option names no other model with text-classification */
export const checkClassifier = (spec: ModelSpec, kernel: Kernel): void =>
  checkChosenModel(textClassification, spec, kernel)
