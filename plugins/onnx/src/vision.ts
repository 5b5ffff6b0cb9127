import { failure } from '@sallyport/core'
import type { Tensor } from '@sallyport/core'
import type { ModelFolder } from './files/model-folder.js'
import { ImageTower } from './images/index.js'
import { openSession } from './session/inspect.js'
import type { Session, SessionOptions } from './session/ort-session.js'

/** The part of a model that reads images. */
export interface Vision {
  readonly tower: ImageTower
  /** Present where the image tower has a file of its own. */
  readonly session?: Session
  /** Present where one file holds both towers: the values of its image inputs while it reads texts. */
  readonly blankPixels?: Readonly<Record<string, Tensor>>
}

/** Whether an image tower is in the file that reads texts or beside it. */
export const hasVision = (folder: ModelFolder, texts: Pick<Session, 'inputs'>): boolean =>
  ImageTower.reads(texts) || folder.path('vision_model') !== undefined

/**
 * Opens the image tower; undefined for a model without one.
 * @param textOutput the output with the vector of a text
 * @throws model_invalid
 */
export const openVision = async (
  folder: ModelFolder,
  texts: Session,
  textOutput: string,
  options: SessionOptions,
): Promise<Vision | undefined> => {
  const { model } = folder
  const preprocessor = folder.json('preprocessor_config.json')
  if (ImageTower.reads(texts)) {
    const tower = ImageTower.load({ model, session: texts, preprocessor })
    if (tower.output === textOutput) throw differentSpaces(model, textOutput, tower.output)
    checkProjection(model, textOutput, tower.output)
    return { tower, blankPixels: tower.blank() }
  }
  const path = folder.path('vision_model')
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

/** @param width the length of a text's vector @throws model_invalid where that of an image differs */
export const checkWidth = async (model: string, { tower }: Vision, width: number): Promise<void> => {
  const imageWidth = await tower.width()
  if (imageWidth === width) return
  const problem = `its texts have vectors of ${width} numbers and its pictures of ${imageWidth}: export both with their projections`
  throw failure('model_invalid', { model, problem })
}

/** Vectors before a projection are of another space than those after it, and often as long. */
const checkProjection = (model: string, texts: string, images: string): void => {
  if (isUnprojected(texts) !== isUnprojected(images)) throw differentSpaces(model, texts, images)
}

const isUnprojected = (output: string) => output === 'pooler_output'

const differentSpaces = (model: string, texts: string, images: string) => {
  const problem = `its vectors of texts (${texts}) and of pictures (${images}) are not of one space: export both alike`
  return failure('model_invalid', { model, problem })
}
