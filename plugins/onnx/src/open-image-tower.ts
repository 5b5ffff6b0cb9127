import { failure } from '@sallyport/core'
import type { Tensor } from '@sallyport/core'
import type { ModelFiles } from './files/model-files.js'
import { ImageTower } from './images/image-tower.js'
import type { Session } from './session/ort-session.js'

/** The loaded image tower of a model. */
export interface OpenImageTower {
  readonly tower: ImageTower
  /** Present where one file holds both towers: the values of its image inputs while it evaluates texts. */
  readonly dummyPixels?: Readonly<Record<string, Tensor>>
}

/** Opens the file at a path. */
export type OpenSession = (path: string) => Promise<Session>

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
  open: OpenSession,
): Promise<OpenImageTower | undefined> => {
  const { model } = files
  const isShared = ImageTower.hasImageInput(textSession)
  const path = isShared ? undefined : files.path('vision_model')
  if (!isShared && path === undefined) return undefined
  const session = path === undefined ? textSession : await open(path)
  const tower = ImageTower.load(model, session, files.json('preprocessor_config.json'))
  const { output } = tower
  // Vectors before a projection are in another vector space than those after it, and often have the same dimensions.
  if ((isShared && output === textOutput) || isUnprojected(output) !== isUnprojected(textOutput)) {
    const problem =
      `its text vectors (${textOutput}) and image vectors (${output}) are not in the same vector space: ` +
      'export both with their projections, or both without'
    throw failure('model_invalid', { model, problem })
  }
  return { tower, ...(isShared && { dummyPixels: tower.dummyPixels() }) }
}

const isUnprojected = (output: string) => output === 'pooler_output'

/** @param dimensions those of a text's vector @throws model_invalid where those of an image differ */
export const checkDimensions = async (model: string, { tower }: OpenImageTower, dimensions: number): Promise<void> => {
  const imageDimensions = await tower.dimensions()
  if (imageDimensions === dimensions) return
  const problem = `its text vectors have ${dimensions} dimensions and its image vectors ${imageDimensions}: export both with their projections`
  throw failure('model_invalid', { model, problem })
}
