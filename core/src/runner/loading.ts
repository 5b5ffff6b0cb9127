/** Constructing and loading a backend: the same in the kernel's process and in one of its own. */

import { failure, fromErrorData, isSallyportError, toErrorData } from '../errors/index.js'
import { bind, construct } from '../kernel/container.js'
import type { Logger } from '../kernel/logger.js'
import type { LoadedDescriptor, LoadedModel, ModelBackend, ModelSpec } from '../kernel/model.js'
import type { BackendDefinition } from '../kernel/plugin.js'
import { logger, modelSpec, options } from '../kernel/tokens.js'
import { describeError } from './describe-error.js'

/** What a backend gets injected. */
export interface BackendInputs {
  readonly pluginOptions: object
  readonly spec: ModelSpec
  readonly logger: Logger
}

export interface LoadedBackend {
  readonly backend: ModelBackend
  readonly loaded: LoadedModel
}

/** What the `load` call of the protocol says. */
export interface LoadRequest extends Omit<BackendInputs, 'logger'> {
  readonly moduleUrl: string
  readonly backendName: string
}

/** And its answer: the services stay behind, their methods are called by name. */
export interface LoadReply {
  readonly descriptor?: LoadedDescriptor
  readonly provides: readonly { readonly capability: string; readonly methods: readonly string[] }[]
}

/** @throws errors of the table only; what else a library says goes to the log. */
export const loadBackend = async (
  definition: Pick<BackendDefinition, 'class'>,
  inputs: BackendInputs,
): Promise<LoadedBackend> => {
  try {
    const backend = construct(definition.class, [
      bind(options, inputs.pluginOptions),
      bind(modelSpec, inputs.spec),
      bind(logger, inputs.logger),
    ])
    return { backend, loaded: await backend.load() }
  } catch (error) {
    const cause = isSallyportError(error) ? error.cause : error
    if (cause !== undefined) inputs.logger.error({ error: describeError(cause) }, 'the model could not be loaded')
    // Without its cause, which would be logged once more.
    if (isSallyportError(error)) throw fromErrorData(toErrorData(error))
    const problem = 'it could not be loaded; the log has the details'
    throw failure('model_unavailable', { model: inputs.spec.id, problem })
  }
}
