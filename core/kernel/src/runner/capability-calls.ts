/** Proxies and handlers that carry any capability over the protocol, made from its declaration. */

import { loggable } from '@sallyport/core'
import type { Call, Capability, MethodKind } from '@sallyport/core'
import type { Caller } from './client.js'
import type { Handler, Handlers } from './server.js'

type Method = (payload: unknown, call: Call) => Promise<unknown> | AsyncIterable<unknown>

const qualifiedMethodName = (capability: Capability, method: string) => `${capability.name}.${method}`

const methodOf = (service: object, name: string): Method | undefined => {
  const method = (service as Record<string, unknown>)[name]
  return typeof method === 'function' ? (method.bind(service) as Method) : undefined
}

/** Names of the methods that the service has; optional ones may be absent. */
export const implementedMethods = (capability: Capability, service: object): string[] =>
  Object.keys(capability.methods).filter((name) => methodOf(service, name))

/** An object with the capability's methods (those of `methods`, all by default) that runs them through the caller. */
export const capabilityProxy = <Service extends object>(
  capability: Capability<Service>,
  caller: Caller,
  methods: readonly string[] = Object.keys(capability.methods),
): Service => {
  const declared = Object.entries(capability.methods).filter(([name]) => methods.includes(name))
  const proxies = declared.map(([name, { kind }]): [string, Method] => {
    const qualifiedName = qualifiedMethodName(capability, name)
    return [name, (payload, call) => caller[kind](qualifiedName, payload, call)]
  })
  return Object.fromEntries(proxies) as Service
}

/** The handlers that {@link capabilityProxy} calls, on the side where the service is. */
export const capabilityHandlers = <Service extends object>(
  capability: Capability<Service>,
  service: NoInfer<Service>,
): Handlers => {
  const handlers: Record<string, Handler> = {}
  for (const [name, { kind }] of Object.entries(capability.methods)) {
    const method = methodOf(service, name)
    const qualifiedName = qualifiedMethodName(capability, name)
    if (method) handlers[qualifiedName] = (payload, call) => checkKind(qualifiedName, kind, method(payload, call))
  }
  return handlers
}

/** A stream where an answer is expected, or the reverse, is a fault of the service that types do not always catch. */
const checkKind = (qualifiedName: string, kind: MethodKind, result: ReturnType<Method>) => {
  if (Symbol.asyncIterator in result === (kind === 'stream')) return result
  throw loggable(new TypeError(`${qualifiedName} must return ${kind === 'stream' ? 'an async iterable' : 'a promise'}`))
}
