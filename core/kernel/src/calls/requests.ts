/** Validates the requests that the kernel gets: otherwise a misspelt field would be ignored. */

import { failure } from '@sallyport/core'
import type { CallOptions, GenerationOptions, InspectOptions, MethodDeclaration } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { copyByShape } from './copy-by-shape.js'
import { ShapeMismatch } from './readers.js'

/** A copy of the request's declared fields. @throws invalid_request with the field */
export const validRequest = ({ request: shape }: MethodDeclaration, request: unknown): unknown => {
  try {
    return copyByShape(shape, request, 'request')
  } catch (error) {
    if (!(error instanceof ShapeMismatch)) throw error
    const { path, problem } = error
    throw failure('invalid_request', path === '' ? { problem: `the request ${problem}` } : { field: path, problem })
  }
}

const callOptionNames = {
  signal: true,
  deadline: true,
  requestId: true,
  tenant: true,
  trace: true,
  safeguards: true,
  policies: true,
  vault: true,
  remoteTools: true,
  onInputPassed: true,
  onVerdict: true,
  onUsage: true,
} satisfies Record<keyof CallOptions, true>

const inspectOptionNames = {
  ...callOptionNames,
  policy: true,
  model: true,
  origin: true,
  reference: true,
  replace: true,
  ignore: true,
  options: true,
} satisfies Record<keyof InspectOptions, true>

/** Refuses unknown options: misspelt `safeguards` would be silently ignored. */
const refuseUnknown = (options: object, known: readonly string[]): void => {
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw failure('invalid_request', {
      problem: `unknown option "${unknown}" of the call${didYouMean(unknown, known)}`,
    })
}

/** @throws invalid_request */
export const checkOptions = (options: CallOptions): void => refuseUnknown(options, Object.keys(callOptionNames))

/** @throws invalid_request */
export const checkInspectOptions = (options: InspectOptions): void =>
  refuseUnknown(options, Object.keys(inspectOptionNames))

interface Range {
  readonly min: number
  readonly max: number
  readonly integer?: true
}

const maxInt32 = 2 ** 31 - 1

/** The ranges of OpenAI's chat completions where it has any. */
const ranges = {
  maxTokens: { min: 1, max: maxInt32, integer: true },
  n: { min: 1, max: 128, integer: true },
  topLogprobs: { min: 0, max: 20, integer: true },
  temperature: { min: 0, max: 2 },
  topP: { min: 0, max: 1 },
  topK: { min: 0, max: maxInt32, integer: true },
  minP: { min: 0, max: 1 },
  frequencyPenalty: { min: -2, max: 2 },
  presencePenalty: { min: -2, max: 2 },
} satisfies Partial<Record<keyof GenerationOptions, Range>>

/**
 * Validates ranges of numbers, and that messages and stop sequences are not empty: models would fail on these later.
 * @throws invalid_request with the field
 */
export const checkGeneration = (request: GenerationOptions & { readonly messages?: readonly unknown[] }): void => {
  for (const [field, range] of Object.entries<Range>(ranges)) {
    const value = request[field as keyof typeof ranges]
    if (value !== undefined && !isIn(range, value))
      throw failure('invalid_request', { field, problem: rangeProblem(range) })
  }
  if (request.messages?.length === 0)
    throw failure('invalid_request', { field: 'messages', problem: 'must not be empty' })
  const empty = request.stop?.indexOf('') ?? -1
  if (empty >= 0) throw failure('invalid_request', { field: `stop[${empty}]`, problem: 'must not be empty' })
}

const isIn = ({ min, max, integer }: Range, value: number): boolean =>
  value >= min && value <= max && (!integer || Number.isInteger(value))

const rangeProblem = ({ min, max, integer }: Range): string =>
  `must be a ${integer ? 'whole ' : ''}number from ${min} to ${max}`
