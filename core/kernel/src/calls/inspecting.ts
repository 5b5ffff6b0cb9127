/** What detectors ask models is a part of looking at a text, and is not looked at itself. */

import type { Call } from '@sallyport/core'

/** Marks the calls of detectors. The symbol stays in this file, so that no program can claim it; copies have it, too. */
const inspecting = Symbol('inspecting')

export const isInspecting = (call: object): boolean => inspecting in call

/** Copies by descriptors: a signal that is made when it is asked for is not asked for here. */
export const asInspecting = (call: Call): Call => {
  const described = { ...Object.getOwnPropertyDescriptors(call), [inspecting]: { value: true, enumerable: true } }
  return Object.defineProperties({}, described) as Call
}
