/** Checks the requests of programs that embed the kernel before anything is done: a misspelt field would be ignored. */

import { failure } from '@sallyport/core'
import type { CallOptions, GenerationOptions, InspectOptions, MethodDeclaration } from '@sallyport/core'
import { didYouMean } from '@sallyport/kit/text'
import { conform } from './conform.js'
import { Misfit } from './readers.js'

/** The request, copied as far as it is declared. @throws invalid_request with the field */
export const validRequest = ({ request: shape }: MethodDeclaration, request: unknown): unknown => {
  try {
    return conform(shape, request, 'refused')
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    const { path, problem } = error
    throw failure('invalid_request', path === '' ? { problem: `the request ${problem}` } : { field: path, problem })
  }
}

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

interface Range {
  readonly from: number
  readonly to: number
  readonly whole?: true
}

const maxCount = 2 ** 31 - 1

/** The ranges of OpenAI's chat completions; those of top-k and min-p, which it lacks, follow from what they mean. */
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
 * Holds numbers to what they mean: a model would take years, or fail far from the cause.
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
