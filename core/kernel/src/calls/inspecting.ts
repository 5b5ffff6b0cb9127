/**
 * Marks the calls that detectors make to models: these belong to the inspection of a text and are not inspected again.
 */

import type { Call } from '@sallyport/core'

/** The symbol stays in this file, so that no program can set it; it is enumerable, so that copies of a call keep it. */
const inspecting = Symbol('inspecting')

export const isInspecting = (call: object): boolean => inspecting in call

/** Copies property descriptors rather than values: reading a lazy `signal` would create it. */
export const markInspecting = (call: Call): Call => {
  const described = { ...Object.getOwnPropertyDescriptors(call), [inspecting]: { value: true, enumerable: true } }
  return Object.defineProperties({}, described) as Call
}
