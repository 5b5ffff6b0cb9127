/** Constructs and loads a backend, in the kernel's process or in one of its own. */

import { baseDirectory, home, kernel, logger, modelOpener, modelSpec, options, reportState } from '@sallyport/core'
import { errorTrace, failure, fromErrorData, isSallyportError, refersToLog, toErrorData } from '@sallyport/core'
import type { BackendDefinition, Capability, Kernel, LoadedDescriptor, LoadedModel, Logger } from '@sallyport/core'
import type { ModelBackend, ModelOpener, ModelSpec, ReportState, SallyportError } from '@sallyport/core'
import { isRecord } from '@sallyport/kit/json'
import { bind, construct } from '../plugins/container.js'

/** The values that are injected into a backend. */
export interface BackendInputs {
  /** Name and file of the plugin that brings the backend, for errors. */
  readonly plugin?: string
  readonly pluginOptions: object
  readonly spec: ModelSpec
  readonly logger: Logger
  /** The directory that relative paths of the configuration start from. */
  readonly baseDirectory: string
  /** The directory in which Sallyport keeps its state. */
  readonly home: string
  readonly reportState?: ReportState
  /** Absent, like `modelOpener`, for a backend with `isolation`. */
  readonly kernel?: Kernel
  readonly modelOpener?: ModelOpener
}

export interface LoadedBackend {
  readonly backend: ModelBackend
  readonly loaded: LoadedModel
}

/** The payload of the protocol's `load` call. */
export interface LoadRequest extends Omit<BackendInputs, 'logger' | 'reportState' | 'kernel' | 'modelOpener'> {
  readonly moduleUrl: string
  readonly backendName: string
}

/** The answer to a `load` call: services stay in the process, and their methods are called by name. */
export interface LoadReply {
  readonly descriptor?: LoadedDescriptor
  readonly provides: readonly { readonly capability: string; readonly methods: readonly string[] }[]
}

/** @throws plugin_invalid; errors of the table that the constructor throws */
export const constructBackend = (definition: Pick<BackendDefinition, 'class'>, inputs: BackendInputs): ModelBackend => {
  const plugin = pluginOf(inputs)
  const backend: Partial<ModelBackend> = construct(definition.class, plugin, [
    bind(options, inputs.pluginOptions),
    bind(modelSpec, inputs.spec),
    bind(logger, inputs.logger),
    bind(baseDirectory, inputs.baseDirectory),
    bind(home, inputs.home),
    bind(reportState, inputs.reportState ?? (() => undefined)),
    ...(inputs.kernel ? [bind(kernel, inputs.kernel)] : []),
    ...(inputs.modelOpener ? [bind(modelOpener, inputs.modelOpener)] : []),
  ])
  if (typeof backend.load === 'function') return backend as ModelBackend
  const problem =
    'the class of its backend has no method load(): it returns { provides: [provide(capability, service), …] }'
  throw failure('plugin_invalid', { plugin, problem })
}

/** @throws errors of the table only */
export const loadBackend = async (
  definition: Pick<BackendDefinition, 'class'>,
  inputs: BackendInputs,
): Promise<LoadedBackend> => {
  try {
    const backend = constructBackend(definition, inputs)
    return { backend, loaded: validateLoadedModel(await backend.load(), inputs) }
  } catch (error) {
    throw toLoadError(error, inputs)
  }
}

const pluginOf = ({ plugin, spec }: Pick<BackendInputs, 'plugin' | 'spec'>) => plugin ?? `of the model ${spec.id}`

/** Checks what `load` returned: no compiler checks a plugin in JavaScript. @throws plugin_invalid */
export const validateLoadedModel = (loaded: unknown, inputs: BackendInputs): LoadedModel => {
  const provides: unknown = isRecord(loaded) ? loaded.provides : undefined
  if (Array.isArray(provides) && provides.every(isProvision)) return loaded as LoadedModel
  const problem =
    `load() of its backend returned no model for ${inputs.spec.id}: it must return ` +
    '{ provides: [provide(capability, service), …] }'
  throw failure('plugin_invalid', { plugin: pluginOf(inputs), problem })
}

const isProvision = (value: unknown): boolean =>
  isRecord(value) && isRecord(value.capability) && isRecord(value.capability.methods) && value.service instanceof Object

/**
 * The error, one of the table, with which a load fails. What a library says goes to the log, as does what only the log
 * explains, such as that a model of another plugin failed.
 */
export const toLoadError = (error: unknown, { logger, spec, plugin }: BackendInputs): SallyportError => {
  const isTelling = isSallyportError(error) && !refersToLog(error)
  const cause = isTelling ? error.cause : error
  if (cause !== undefined) logger.error({ error: errorTrace(cause, 'all') }, 'the model could not be loaded')
  // The copy has no cause, which would be logged once more.
  if (isTelling) return fromErrorData(toErrorData(error))
  const by = plugin === undefined ? '' : ` by the plugin ${plugin}`
  const problem = `it could not be loaded${by}; the log has the details`
  return failure('model_unavailable', { model: spec.id, problem })
}

/** The capability that the backend declares under this name. @throws plugin_invalid */
export const declaredCapability = (name: string, capabilities: readonly Capability[], plugin: string): Capability => {
  const capability = capabilities.find((candidate) => candidate.name === name)
  if (capability) return capability
  throw failure('plugin_invalid', { plugin, problem: `its backend provides ${name}, which it does not declare` })
}
