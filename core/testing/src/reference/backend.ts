/** Options, pauses and the class of services that answer once, for reference backends. */

import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { inject, injectable } from 'tsyringe'
import { options as optionsToken } from '@sallyport/core'
import type { Call } from '@sallyport/core'

/** The options of all reference backends. */
export interface ReferenceOptions {
  /** Milliseconds before each chunk of a stream, and before each answer. */
  readonly delay: number
}

export const referenceOptions = {
  type: 'object',
  properties: {
    delay: {
      type: 'number',
      minimum: 0,
      default: 0,
      description: 'Milliseconds before each chunk of a stream, and before each answer.',
    },
  },
} as const

/** Waits for the `delay`, and always lets other work run first. @throws the signal's reason when aborted */
export const pause = async ({ delay }: ReferenceOptions, call: Call): Promise<void> => {
  const { signal } = call
  signal.throwIfAborted()
  if (delay > 0) await sleep(delay, undefined, { signal }).catch(() => undefined)
  await yieldToOthers(call)
}

/** Lets other work run first. @throws the signal's reason when aborted */
export const yieldToOthers = async ({ signal }: Call): Promise<void> => {
  await nextTurn()
  signal.throwIfAborted()
}

/** The methods of a service as functions, which may be synchronous. */
type MethodBodies<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends (request: infer Request, call: Call) => Promise<infer Result>
    ? (request: Request, call: Call) => Result | Promise<Result>
    : never
}

type MethodBody = (request: unknown, call: Call) => unknown

/** Makes the class of a service whose methods wait as the options say, and then answer once. */
export const referenceService = <Service extends object>(
  bodies: MethodBodies<Service>,
): new (options: ReferenceOptions) => Service => {
  @injectable()
  class Reference {
    constructor(@inject(optionsToken) private readonly options: ReferenceOptions) {
      for (const [name, body] of Object.entries<MethodBody>(bodies))
        Object.assign(this, { [name]: this.withPause(body) })
    }

    private withPause(body: MethodBody): MethodBody {
      return async (request, call) => {
        await pause(this.options, call)
        return body(request, call)
      }
    }
  }
  return Reference as unknown as new (options: ReferenceOptions) => Service
}
