import { provide, inference } from '@sallyport/core'
import type { LoadedModel, Logger, ModelSpec } from '@sallyport/core'
import { ModelFiles } from './files/model-files.js'
import { OnnxInference } from './inference.js'
import { modelTask } from './model-task.js'
import type { OnnxOptions } from './options.js'
import { openImageTower, hasImageTower } from './open-image-tower.js'
import type { OpenSession } from './open-image-tower.js'
import { openSession } from './session/inspect.js'
import type { Session } from './session/ort-session.js'
import { spanServices } from './span-classification/span-services.js'
import { textServices } from './text-services.js'

/** A loaded model, and the sessions that must be released when it stops. */
export interface OpenModel {
  readonly loaded: LoadedModel
  readonly sessions: readonly Session[]
}

/** Loads a model. @throws model_invalid, model_files; all sessions are released then */
export const openModel = async (spec: ModelSpec<OnnxOptions>, logger: Logger): Promise<OpenModel> => {
  const sessions: Session[] = []
  const open = async (path: string): Promise<Session> => {
    const session = await openSession(spec.id, path, spec.options)
    sessions.push(session)
    return session
  }
  try {
    return { loaded: await load(spec, logger, open), sessions }
  } catch (error) {
    for (const session of sessions) await session.release()
    throw error
  }
}

const load = async (spec: ModelSpec<OnnxOptions>, logger: Logger, open: OpenSession): Promise<LoadedModel> => {
  const { options } = spec
  const files = new ModelFiles(spec)
  const session = await open(files.requiredPath('model'))
  const config = files.json('config.json')
  const task = modelTask(session, { model: spec.id, config, hasImageTower: hasImageTower(files, session) })
  logger.debug({ task: task.type }, 'the graph is loaded')
  const tensors = provide(inference, new OnnxInference(session, options.queue))
  if (task.type === 'tensors') {
    const { reason } = task
    // A graph that takes tokens was probably meant to serve texts, so the operator is warned.
    if (session.inputs.some(({ name }) => name === 'input_ids'))
      logger.warn({ reason }, 'the model offers plain tensors only: it does not take texts')
    return { provides: [tensors], descriptor: { description: `Plain tensors only: ${reason}.` } }
  }
  const imageTower = task.type === 'embedding' ? await openImageTower(files, session, task.output, open) : undefined
  const opened = { files, session, task, options, imageTower }
  const texts = await (task.type === 'span-classifier' ? spanServices(opened) : textServices(opened))
  return { ...texts, provides: [...texts.provides, tensors] }
}
