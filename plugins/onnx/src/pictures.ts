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

/** Undefined for a model that does not see. @throws model_invalid */
export const openPictures = async (
  folder: ModelFolder,
  texts: Session,
  options: SessionOptions,
): Promise<Pictures | undefined> => {
  const { model } = folder
  const preprocessor = folder.json('preprocessor_config.json')
  if (PictureTower.reads(texts)) {
    const tower = PictureTower.load({ model, session: texts, preprocessor })
    return { tower, alongText: tower.blank() }
  }
  const path = folder.path('vision_model')
  if (path === undefined) return undefined
  const session = await openSession(model, path, options)
  try {
    return { tower: PictureTower.load({ model, session, preprocessor }), session }
  } catch (error) {
    await session.release()
    throw error
  }
}
