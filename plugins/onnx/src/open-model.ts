import { provide, inference } from '@sallyport/core'
import type { LoadedModel, Logger, ModelSpec } from '@sallyport/core'
import { ModelFiles } from './files/model-files.js'
import { OnnxInference } from './inference.js'
import { modelTask } from './model-task.js'
import type { OnnxOptions } from './options.js'
import { openImageTower, hasImageTower } from './open-image-tower.js'
import { openSession } from './session/inspect.js'
import type { Session } from './session/ort-session.js'
import { textServices } from './text-services.js'
import type { TextServices } from './text-services.js'

/** A loaded model, and the sessions that must be released when it stops. */
export interface OpenModel {
  readonly loaded: LoadedModel
  readonly sessions: readonly Session[]
}

/** Loads a model. @throws model_invalid, model_files; all sessions are released then */
export const openModel = async (spec: ModelSpec<OnnxOptions>, logger: Logger): Promise<OpenModel> => {
  const sessions: Session[] = []
  try {
    return { loaded: await new ModelLoader(spec, logger, sessions).load(), sessions }
  } catch (error) {
    for (const session of sessions) await session.release()
    throw error
  }
}

class ModelLoader {
  private readonly files: ModelFiles

  constructor(
    private readonly spec: ModelSpec<OnnxOptions>,
    private readonly logger: Logger,
    private readonly sessions: Session[],
  ) {
    this.files = new ModelFiles(spec)
  }

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const session = await openSession(id, this.files.graphPath, options)
    this.sessions.push(session)
    const { provides, descriptor } = await this.textServices(session)
    return { provides: [...provides, provide(inference, new OnnxInference(session, options.queue))], descriptor }
  }

  private async textServices(session: Session): Promise<TextServices> {
    const { options } = this.spec
    const { files } = this
    const config = files.json('config.json')
    const task = modelTask(session, { model: files.model, config, hasImageTower: hasImageTower(files, session) })
    this.logger.debug({ task: task.type }, 'the graph is loaded')
    if (task.type === 'tensors') return this.tensorsOnly(session, task.reason)
    const imageTower =
      task.type === 'embedding' ? await openImageTower(files, session, task.output, options) : undefined
    if (imageTower?.session) this.sessions.push(imageTower.session)
    return textServices({ files, session, task, options, imageTower })
  }

  private tensorsOnly({ inputs }: Session, reason: string): TextServices {
    // A graph that takes tokens was probably meant to serve texts, so the operator is warned.
    if (inputs.some(({ name }) => name === 'input_ids'))
      this.logger.warn({ reason }, 'the model offers plain tensors only: it does not take texts')
    return { provides: [], descriptor: { description: `Plain tensors only: ${reason}.` } }
  }
}
