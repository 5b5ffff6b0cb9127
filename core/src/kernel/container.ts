import 'reflect-metadata'
import { container as root } from 'tsyringe'
import type { InjectionToken } from 'tsyringe'
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
  return container.resolve(type as new (...dependencies: unknown[]) => Instance)
}
