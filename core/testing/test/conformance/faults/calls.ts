import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Call } from '@sallyport/core'
import { testCall } from '../../../src/index.js'
import type { Wrap } from '../plant.js'

type Method = (request: never, call: Call) => Promise<unknown>
type RequestOf<M> = M extends (request: infer Request, call: Call) => unknown ? Request : never
type ResultOf<M> = M extends (request: never, call: Call) => Promise<infer Result> ? Result : never

/** Names of the methods that answer once. */
export type MethodOf<Service> = keyof Service & string

/** Replaces one method; `inner` is the sound one, the others stay. */
export const calling =
  <Service extends object, Name extends MethodOf<Service>>(
    name: Name,
    make: (
      inner: (request: RequestOf<Service[Name]>, call: Call) => Promise<ResultOf<Service[Name]>>,
    ) => (request: RequestOf<Service[Name]>, call: Call) => Promise<ResultOf<Service[Name]>>,
  ): Wrap<Service> =>
  (sound) => {
    const method = sound[name] as Method
    const inner = (request: RequestOf<Service[Name]>, call: Call) =>
      method.call(sound, request as never, call) as Promise<ResultOf<Service[Name]>>
    const changed = make(inner)
    return new Proxy(sound, {
      get: (target, key) => {
        if (key === name) return changed
        const value: unknown = Reflect.get(target, key)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
  }

/** Changes what the sound implementation is asked. */
export const askedOf = <Service extends object, Name extends MethodOf<Service>>(
  name: Name,
  change: (request: RequestOf<Service[Name]>) => RequestOf<Service[Name]>,
): Wrap<Service> => calling(name, (inner) => (request, call) => inner(change(request), call))

/** Changes what the sound implementation answers. */
export const answeredBy = <Service extends object, Name extends MethodOf<Service>>(
  name: Name,
  change: (result: ResultOf<Service[Name]>, request: RequestOf<Service[Name]>) => ResultOf<Service[Name]>,
): Wrap<Service> => calling(name, (inner) => async (request, call) => change(await inner(request, call), request))

/** Faults for the cases of every method that answers once; `spoil` changes the answer so that it is seen. */
export const callFaults = <Service extends object, Name extends MethodOf<Service>>(
  name: Name,
  spoil: (result: ResultOf<Service[Name]>, times: number) => ResultOf<Service[Name]>,
): Record<string, Wrap<Service>> => {
  const fault = (make: Parameters<typeof calling<Service, Name>>[1]) => calling<Service, Name>(name, make)
  return {
    [`${name}: a signal that is aborted beforehand rejects with its reason`]: fault(
      (inner) => (request, call) => inner(request, call.signal.aborted ? testCall() : call),
    ),
    [`${name}: an abort ends the call with the signal’s reason, if it has not been answered`]: fault(
      (inner) => async (request, call) => {
        const result = await inner(request, testCall())
        await nextTurn()
        if (call.signal.aborted) throw new Error('stopped')
        return result
      },
    ),
    [`${name}: the request is left as it was`]: fault(
      (inner) => (request, call) => inner(Object.assign(request as object, { seen: true }) as typeof request, call),
    ),
    [`${name}: the same request gets the same answer`]: fault((inner) => {
      let times = 0
      return async (request, call) => spoil(await inner(request, call), ++times)
    }),
    [`${name}: calls side by side do not mix`]: fault((inner) => {
      let latest: RequestOf<Service[Name]>
      return async (request, call) => {
        latest = request
        await nextTurn()
        return inner(latest, call)
      }
    }),
    [`${name}: a call that failed does not spoil the next`]: fault((inner) => {
      let failures = 0
      return async (request, call) => {
        if (call.signal.aborted) failures += 1
        const result = await inner(request, call)
        return failures ? spoil(result, failures) : result
      }
    }),
  }
}

/** The faults for a method that takes no arguments: all its calls are the same, so they cannot be mixed up. */
export const withoutMixing = <Service>(faults: Record<string, Wrap<Service>>): Record<string, Wrap<Service>> =>
  Object.fromEntries(Object.entries(faults).filter(([name]) => !name.endsWith('calls side by side do not mix')))
