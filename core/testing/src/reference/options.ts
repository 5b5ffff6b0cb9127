import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '@sallyport/core'

/** Of all reference backends. */
export interface ReferenceOptions {
  /** Milliseconds before each piece of a stream, and before each answer. */
  readonly delay: number
}

export const referenceOptions = {
  type: 'object',
  properties: {
    delay: {
      type: 'number',
      minimum: 0,
      default: 0,
      description: 'Milliseconds before each piece of a stream, and before each answer.',
    },
  },
} as const

/** Waits as configured, and always lets other work run first. @throws the signal's reason when aborted */
export const pause = async ({ delay }: ReferenceOptions, call: Call): Promise<void> => {
  const { signal } = call
  signal.throwIfAborted()
  if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => undefined)
  await afterOthers(call)
}

/** Lets other work run first. @throws the signal's reason when aborted */
export const afterOthers = async ({ signal }: Call): Promise<void> => {
  await nextTurn()
  signal.throwIfAborted()
}
