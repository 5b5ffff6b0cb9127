import { provide, inference } from '@sallyport/core'
import type { LoadedModel, Logger, ModelSpec } from '@sallyport/core'
import { ModelFolder } from './files/model-folder.js'
import { OnnxInference } from './inference.js'
import { modelKind } from './model-kind.js'
import type { OnnxOptions } from './options.js'
import { openVision, hasVision } from './vision.js'
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
  private readonly folder: ModelFolder

  constructor(
    private readonly spec: ModelSpec<OnnxOptions>,
    private readonly logger: Logger,
    private readonly sessions: Session[],
  ) {
    this.folder = new ModelFolder(spec)
  }

  async load(): Promise<LoadedModel> {
    const { id, options } = this.spec
    const session = await openSession(id, this.folder.graph, options)
    this.sessions.push(session)
    const { provides, descriptor } = await this.textServices(session)
    return { provides: [...provides, provide(inference, new OnnxInference(session, options.queue))], descriptor }
  }

  private async textServices(session: Session): Promise<TextServices> {
    const { options } = this.spec
    const { folder } = this
    const config = folder.json('config.json')
    const kind = modelKind(session, { model: folder.model, config, readsImages: hasVision(folder, session) })
    this.logger.debug({ kind: kind.kind }, 'the graph is loaded')
    if (kind.kind === 'tensors') return this.tensorsOnly(session, kind.reason)
    const images = kind.kind === 'encoder' ? await openVision(folder, session, kind.output, options) : undefined
    if (images?.session) this.sessions.push(images.session)
    return textServices({ folder, session, kind, options, images })
  }

  private tensorsOnly({ inputs }: Session, reason: string): TextServices {
    // The operator of a graph that takes tokens expects more of it.
    if (inputs.some(({ name }) => name === 'input_ids'))
      this.logger.warn({ because: reason }, 'the model offers plain tensors only: it does not read texts')
    return { provides: [], descriptor: { description: `Plain tensors only: ${reason}.` } }
  }
}
