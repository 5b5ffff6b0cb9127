/**
 * Marks the calls that detectors make to models: these belong to the inspection of a text and are not inspected again.
 */

import type { Call } from '@sallyport/core'

/** The symbol is not exported, so that no caller can set it. It is enumerable, so that copies of a call keep it. */
const inspecting = Symbol('inspecting')

export const isInspecting = (call: object): boolean => inspecting in call

/** Copies property descriptors rather than values: reading a lazy `signal` would create it. */
export const markInspecting = (call: Call): Call => {
  const descriptors = { ...Object.getOwnPropertyDescriptors(call), [inspecting]: { value: true, enumerable: true } }
  return Object.defineProperties({}, descriptors) as Call
}
