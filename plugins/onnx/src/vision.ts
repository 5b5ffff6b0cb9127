import { failure } from '@sallyport/core'
import type { Tensor } from '@sallyport/core'
import type { ModelFolder } from './files/model-folder.js'
import { ImageTower } from './images/index.js'
import { openSession } from './session/inspect.js'
import type { Session, SessionOptions } from './session/ort-session.js'

/** The half of a model that reads images. */
export interface Vision {
  readonly tower: ImageTower
  /** Where it is in a file of its own. */
  readonly session?: Session
  /** Where it is in the file that reads texts: what that wants beside a text. */
  readonly alongText?: Readonly<Record<string, Tensor>>
}

/** Whether a half that reads images is in the file that reads texts, or beside it. */
export const hasVision = (folder: ModelFolder, texts: Pick<Session, 'inputs'>): boolean =>
  ImageTower.reads(texts) || folder.path('vision_model') !== undefined

/**
 * Undefined for a model that does not see.
 * @param textOutput of the file that reads texts: the vector of a text
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
    if (tower.output === textOutput) throw otherSpace(model, textOutput, tower.output)
    checkProjection(model, textOutput, tower.output)
    return { tower, alongText: tower.blank() }
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

/** @param width numbers of a text's vector @throws model_invalid where an image's has more or fewer */
export const checkWidth = async (model: string, { tower }: Vision, width: number): Promise<void> => {
  const seen = await tower.width()
  if (seen === width) return
  const problem = `its texts have vectors of ${width} numbers and its pictures of ${seen}: export both with their projections`
  throw failure('model_invalid', { model, problem })
}

/** What stands before a projection is of another space than what stands behind it, and often as long. */
const checkProjection = (model: string, texts: string, images: string): void => {
  if (isUnprojected(texts) !== isUnprojected(images)) throw otherSpace(model, texts, images)
}

const isUnprojected = (output: string) => output === 'pooler_output'

const otherSpace = (model: string, texts: string, images: string) => {
  const problem = `its vectors of texts (${texts}) and of pictures (${images}) are not of one space: export both alike`
  return failure('model_invalid', { model, problem })
}
