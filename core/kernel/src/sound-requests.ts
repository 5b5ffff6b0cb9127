/** Checks the requests of programs that embed the kernel before anything is done: a misspelt field would be ignored. */

import { failure } from '@sallyport/core'
import type { AnyShape, CallOptions, InspectOptions, MethodDeclaration } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { conform, Misfit } from './conform.js'

/** The request, copied as far as it is declared. @throws invalid_request with the field */
export const soundRequest = ({ request: shape }: MethodDeclaration, request: unknown): unknown =>
  sound(shape, request, 'the request')

const callOptions = {
  signal: true,
  deadline: true,
  requestId: true,
  tenant: true,
  safeguards: true,
  policies: true,
  onInputPassed: true,
  onVerdict: true,
  onUsage: true,
} satisfies Record<keyof CallOptions, true>

const inspectOptions = {
  ...callOptions,
  policy: true,
  model: true,
  origin: true,
  reference: true,
  replace: true,
  ignore: true,
  options: true,
} satisfies Record<keyof InspectOptions, true>

/** Refuses unknown options: a misspelt wish for safeguards would be ignored without a word. */
const refuseUnknown = (options: object, known: readonly string[]): void => {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw failure('invalid_request', {
      problem: `unknown option "${unknown}" of the call${didYouMean(unknown, known)}`,
    })
}

/** @throws invalid_request */
export const checkOptions = (options: CallOptions): void => refuseUnknown(options, Object.keys(callOptions))

/** @throws invalid_request */
export const checkInspectOptions = (options: InspectOptions): void =>
  refuseUnknown(options, Object.keys(inspectOptions))

const sound = (shape: AnyShape, value: unknown, what: string): unknown => {
  try {
    return conform(shape, value, 'refused')
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    const { path, problem } = error
    throw failure('invalid_request', path === '' ? { problem: `${what} ${problem}` } : { field: path, problem })
  }
}
