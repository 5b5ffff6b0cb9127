import { readFile } from 'node:fs/promises'
import { failure } from '@sallyport/core'

export const invalidModel = (model: string, problem: string, cause?: unknown) =>
  failure('model_invalid', { model, problem }, { cause })

/** @throws model_invalid */
export const readJson = async (model: string, path: string, name: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as unknown
  } catch (cause) {
    throw invalidModel(model, `its ${name} is not valid JSON`, cause)
  }
}
