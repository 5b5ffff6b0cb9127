/** Detectors as everybody gets them: what they ask models is known for theirs, and so are their failures. */

import { cameFrom } from '@sallyport/core'
import type { Call, ErrorOrigin } from '@sallyport/core'

/**
 * On the calls of detectors: what these ask models is a part of looking at a text, and is not looked at itself. A symbol
 * that stays in this file, so that no program can claim it; copies of a call have it, too.
 */
const inspecting = Symbol('inspecting')

export const isInspecting = (call: object): boolean => inspecting in call

/** Copied as it is described: a signal that is made when it is asked for is not asked for here. */
export const asInspecting = (call: Call): Call => {
  const described = { ...Object.getOwnPropertyDescriptors(call), [inspecting]: { value: true, enumerable: true } }
  return Object.defineProperties({}, described) as Call
}

type Method = (request: unknown, call: Call) => Promise<unknown>

/** @param service of a check */
export const asDetector = <Service extends object>(service: Service, origin: ErrorOrigin): Service => {
  const methods = Object.entries<Method>(service as Record<string, Method>).map(([name, method]) => [
    name,
    async (request: unknown, call: Call) => {
      try {
        return await method(request, asInspecting(call))
      } catch (error) {
        throw cameFrom(error, origin)
      }
    },
  ])
  return Object.fromEntries(methods) as Service
}
