import { failure } from '@sallyport/core'
import type { Tensor } from '@sallyport/core'
import type { ModelFolder } from './files/model-folder.js'
import { PictureTower } from './images/index.js'
import { openSession } from './session/open.js'
import type { SessionOptions } from './session/ort-session.js'
import type { Session } from './session/session.js'

/** The half of a model that reads pictures. */
export interface Pictures {
  readonly tower: PictureTower
  /** Where it is in a file of its own. */
  readonly session?: Session
  /** Where it is in the file that reads texts: what that wants beside a text. */
  readonly alongText?: Readonly<Record<string, Tensor>>
}

/** Whether a half that reads pictures is in the file that reads texts, or beside it. */
export const seesPictures = (folder: ModelFolder, texts: Pick<Session, 'inputs'>): boolean =>
  PictureTower.reads(texts) || folder.path('vision_model') !== undefined

/**
 * Undefined for a model that does not see.
 * @param textOutput of the file that reads texts: the vector of a text
 * @throws model_invalid
 */
export const openPictures = async (
  folder: ModelFolder,
  texts: Session,
  textOutput: string,
  options: SessionOptions,
): Promise<Pictures | undefined> => {
  const { model } = folder
  const preprocessor = folder.json('preprocessor_config.json')
  if (PictureTower.reads(texts)) {
    const tower = PictureTower.load({ model, session: texts, preprocessor })
    if (tower.output === textOutput) throw otherSpace(model, textOutput, tower.output)
    checkProjection(model, textOutput, tower.output)
    return { tower, alongText: tower.blank() }
  }
  const path = folder.path('vision_model')
  if (path === undefined) return undefined
  const session = await openSession(model, path, options)
  try {
    const tower = PictureTower.load({ model, session, preprocessor })
    checkProjection(model, textOutput, tower.output)
    return { tower, session }
  } catch (error) {
    await session.release()
    throw error
  }
}

/** @param width numbers of a text's vector @throws model_invalid where a picture's has more or fewer */
export const checkWidth = async (model: string, { tower }: Pictures, width: number): Promise<void> => {
  const seen = await tower.width()
  if (seen === width) return
  const problem = `its texts have vectors of ${width} numbers and its pictures of ${seen}: export both with their projections`
  throw failure('model_invalid', { model, problem })
}

/** What stands before a projection is of another space than what stands behind it, and often as long. */
const checkProjection = (model: string, texts: string, pictures: string): void => {
  if (isUnprojected(texts) !== isUnprojected(pictures)) throw otherSpace(model, texts, pictures)
}

const isUnprojected = (output: string) => output === 'pooler_output'

const otherSpace = (model: string, texts: string, pictures: string) => {
  const problem = `its vectors of texts (${texts}) and of pictures (${pictures}) are not of one space: export both alike`
  return failure('model_invalid', { model, problem })
}
