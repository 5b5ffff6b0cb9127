import { otherModel, textClassification } from '@sallyport/core'
import type { Kernel, ModelSpec } from '@sallyport/core'
import { WordPieces } from './heads/word-pieces.js'

/** The weights that come with the package. */
export const modelFolder = new URL('../../models/', import.meta.url)

/** Of the model `guard`; windows are measured with them. */
export const wordPieces = (): Promise<WordPieces> => WordPieces.load(new URL('guard/tokenizer.json', modelFolder))

/** @throws model_invalid where the option names no other model with text-classification */
export const classifierOf = ({ id, files }: ModelSpec, model: string, models: Kernel) =>
  otherModel(models, { id, files, options: { model } }, 'model', textClassification)

/** For `sallyport check`. */
export const checkClassifier = (spec: ModelSpec, models: Kernel): void => {
  const { model } = spec.options as { readonly model?: string | null }
  if (model) classifierOf(spec, model, models)
}
