/** Validates the requests of programs that embed the kernel: a misspelt field would be ignored. */

import { failure } from '@sallyport/core'
import type { CallOptions, GenerationOptions, InspectOptions, MethodDeclaration } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { copyByShape } from './copy-by-shape.js'
import { ShapeMismatch } from './readers.js'

/** A copy of the request's declared fields. @throws invalid_request with the field */
export const validRequest = ({ request: shape }: MethodDeclaration, request: unknown): unknown => {
  try {
    return copyByShape(shape, request, 'refused')
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
  safeguards: true,
  policies: true,
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

/** Refuses unknown options: misspelt `safeguards` would be ignored silently. */
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
  readonly from: number
  readonly to: number
  readonly whole?: true
}

const maxCount = 2 ** 31 - 1

/** The ranges of OpenAI's chat completions; those of top-k and min-p, which it lacks, follow from their definitions. */
const ranges = {
  maxTokens: { from: 1, to: maxCount, whole: true },
  n: { from: 1, to: 128, whole: true },
  topLogprobs: { from: 0, to: 20, whole: true },
  temperature: { from: 0, to: 2 },
  topP: { from: 0, to: 1 },
  topK: { from: 0, to: maxCount, whole: true },
  minP: { from: 0, to: 1 },
  frequencyPenalty: { from: -2, to: 2 },
  presencePenalty: { from: -2, to: 2 },
} satisfies Partial<Record<keyof GenerationOptions, Range>>

/**
 * Validates the ranges of numbers: out of range, a model would run for years or fail far from the cause.
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

const isIn = ({ from, to, whole }: Range, value: number): boolean =>
  value >= from && value <= to && (!whole || Number.isInteger(value))

const rangeProblem = ({ from, to, whole }: Range): string =>
  `must be a ${whole ? 'whole ' : ''}number from ${from} to ${to}`
