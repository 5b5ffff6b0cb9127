import 'reflect-metadata'
import { fileURLToPath } from 'node:url'
import { container as root } from 'tsyringe'
import type { InjectionToken } from 'tsyringe'
import { failure, isSallyportError } from '@sallyport/core'
import type { Constructor } from '@sallyport/core'
import type { LoadedPlugin } from './load.js'

/** The name and file of a plugin, for errors. */
export const pluginLabel = ({ definition, moduleUrl }: Pick<LoadedPlugin, 'definition' | 'moduleUrl'>): string =>
  moduleUrl?.startsWith('file:') ? `${definition.name} (${fileURLToPath(moduleUrl)})` : definition.name

/** A token and the value that is injected for it. */
export interface Binding {
  readonly token: InjectionToken<unknown>
  readonly value: unknown
}

export const bind = <Value>(token: InjectionToken<Value>, value: Value): Binding => ({ token, value })

/**
 * Constructs an object with the bindings injected. Each construction has its own container: a shared one would keep the
 * first kernel's options in its singletons.
 * @param plugin the plugin's {@link pluginLabel}, for the error
 */
export const construct = <Instance>(
  type: Constructor<Instance>,
  plugin: string,
  bindings: readonly Binding[],
): Instance => {
  const container = root.createChildContainer()
  for (const { token, value } of bindings) container.register(token, { useValue: value })
  try {
    return container.resolve(type as new (...dependencies: unknown[]) => Instance)
  } catch (error) {
    if (isSallyportError(error)) throw error
    const fault = injectionError.test(String(error))
      ? 'cannot be constructed: it needs @injectable(), and each parameter @inject(token)'
      : 'threw an error while it was constructed'
    const problem = `its class ${type.name || 'without a name'} ${fault} (${String(error)})`
    throw failure('plugin_invalid', { plugin, problem }, { cause: error })
  }
}

/** tsyringe's own errors, which it indents where they concern a parameter; it passes on those of constructors. */
const injectionError =
  /^(?:Error:)? *(?:TypeInfo not known for|Attempted to (?:resolve unregistered|construct an undefined))/m
