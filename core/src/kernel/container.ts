import 'reflect-metadata'
import { container as root } from 'tsyringe'
import type { InjectionToken } from 'tsyringe'
import { failure, isSallyportError } from '../errors/index.js'
import type { Constructor } from './plugin.js'

/** A token and the value that it stands for in one construction. */
export interface Binding {
  readonly token: InjectionToken<unknown>
  readonly value: unknown
}

export const bind = <Value>(token: InjectionToken<Value>, value: Value): Binding => ({ token, value })

/**
 * Makes an object with the bindings injected. A container of its own per construction: a shared one would keep the
 * first kernel's options in a singleton.
 */
export const construct = <Instance>(type: Constructor<Instance>, bindings: readonly Binding[]): Instance => {
  const container = root.createChildContainer()
  for (const { token, value } of bindings) container.register(token, { useValue: value })
  try {
    return container.resolve(type as new (...dependencies: unknown[]) => Instance)
  } catch (error) {
    if (isSallyportError(error)) throw error
    const problem = 'cannot be constructed: the class needs @injectable(), and each parameter @inject(token)'
    throw failure('plugin_invalid', { plugin: type.name, problem: `${problem} (${String(error)})` }, { cause: error })
  }
}
