import { inject, injectable, logger, modelSpec } from '@sallyport/core'
import type { LoadedModel, Logger, ModelBackend, ModelSpec } from '@sallyport/core'
import type { OnnxOptions } from './options.js'
import type { Session } from './session/ort-session.js'

/** One model from an ONNX file. */
@injectable()
export class OnnxBackend implements ModelBackend {
  private sessions: readonly Session[] = []

  constructor(
    @inject(modelSpec) private readonly spec: ModelSpec<OnnxOptions>,
    @inject(logger) private readonly logger: Logger,
  ) {}

  async load(): Promise<LoadedModel> {
    // The import is here because the kernel's process imports this file, too, and needs none of the libraries.
    const { openModel } = await import('./open-model.js')
    const { loaded, sessions } = await openModel(this.spec, this.logger)
    this.sessions = sessions
    return loaded
  }

  async stop(): Promise<void> {
    const { sessions } = this
    this.sessions = []
    for (const session of sessions) await session.release()
  }
}
