import { failure } from '@sallyport/core'
import type { Tensor } from '@sallyport/core'
import type { ModelFiles } from './files/model-files.js'
import { ImageTower } from './images/index.js'
import { openSession } from './session/inspect.js'
import type { Session, SessionOptions } from './session/ort-session.js'

/** The loaded image tower of a model. */
export interface OpenImageTower {
  readonly tower: ImageTower
  /** Present where the image tower has a file of its own. */
  readonly session?: Session
  /** Present where one file holds both towers: the values of its image inputs while it evaluates texts. */
  readonly dummyPixels?: Readonly<Record<string, Tensor>>
}

/** Whether an image tower is in the file of the text model or in a file of its own. */
export const hasImageTower = (files: ModelFiles, textSession: Pick<Session, 'inputs'>): boolean =>
  ImageTower.hasImageInput(textSession) || files.path('vision_model') !== undefined

/**
 * Opens the image tower; undefined for a model without one.
 * @param textOutput the output with the vector of a text
 * @throws model_invalid
 */
export const openImageTower = async (
  files: ModelFiles,
  textSession: Session,
  textOutput: string,
  options: SessionOptions,
): Promise<OpenImageTower | undefined> => {
  const { model } = files
  const preprocessor = files.json('preprocessor_config.json')
  if (ImageTower.hasImageInput(textSession)) {
    const tower = ImageTower.load({ model, session: textSession, preprocessor })
    if (tower.output === textOutput) throw differentSpaces(model, textOutput, tower.output)
    checkProjection(model, textOutput, tower.output)
    return { tower, dummyPixels: tower.dummyPixels() }
  }
  const path = files.path('vision_model')
  if (path === undefined) return undefined
  const session = await openSession(model, path, options)
  try {
    const tower = ImageTower.load({ model, session, preprocessor })
    checkProjection(model, textOutput, tower.output)
    return { tower, session }
  } catch (error) {
    await session.release()
    throw error
  }
}

/** @param dimensions those of a text's vector @throws model_invalid where those of an image differ */
export const checkDimensions = async (model: string, { tower }: OpenImageTower, dimensions: number): Promise<void> => {
  const imageDimensions = await tower.dimensions()
  if (imageDimensions === dimensions) return
  const problem = `its text vectors have ${dimensions} dimensions and its image vectors ${imageDimensions}: export both with their projections`
  throw failure('model_invalid', { model, problem })
}

/** Vectors before a projection lie in another vector space than those after it, and often have the same dimensions. */
const checkProjection = (model: string, textOutput: string, imageOutput: string): void => {
  if (isUnprojected(textOutput) !== isUnprojected(imageOutput)) throw differentSpaces(model, textOutput, imageOutput)
}

const isUnprojected = (output: string) => output === 'pooler_output'

const differentSpaces = (model: string, textOutput: string, imageOutput: string) => {
  const problem =
    `its text vectors (${textOutput}) and image vectors (${imageOutput}) are not in the same vector space: ` +
    'export both with their projections, or both without'
  return failure('model_invalid', { model, problem })
}
