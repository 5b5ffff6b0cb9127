/** Numbers that a generation is asked for, held to what they mean: a model would take years, or fail far from the cause. */

import { failure } from '@sallyport/core'
import type { GenerationOptions } from '@sallyport/core'

interface Range {
  readonly from: number
  readonly to: number
  readonly whole?: true
}

const longest = 2 ** 31 - 1

/** The ranges of OpenAI's chat completions; those of top-k and min-p, which it lacks, follow from what they mean. */
const ranges = {
  maxTokens: { from: 1, to: longest, whole: true },
  n: { from: 1, to: 128, whole: true },
  topLogprobs: { from: 0, to: 20, whole: true },
  temperature: { from: 0, to: 2 },
  topP: { from: 0, to: 1 },
  topK: { from: 0, to: longest, whole: true },
  minP: { from: 0, to: 1 },
  frequencyPenalty: { from: -2, to: 2 },
  presencePenalty: { from: -2, to: 2 },
} satisfies Partial<Record<keyof GenerationOptions, Range>>

/** @throws invalid_request with the field */
export const checkGeneration = (request: GenerationOptions & { readonly messages?: readonly unknown[] }): void => {
  for (const [field, range] of Object.entries<Range>(ranges)) {
    const value = request[field as keyof typeof ranges]
    if (value !== undefined && !isIn(range, value)) throw failure('invalid_request', { field, problem: wanted(range) })
  }
  if (request.messages?.length === 0)
    throw failure('invalid_request', { field: 'messages', problem: 'must not be empty' })
  const empty = request.stop?.indexOf('') ?? -1
  if (empty >= 0) throw failure('invalid_request', { field: `stop[${empty}]`, problem: 'must not be empty' })
}

const isIn = ({ from, to, whole }: Range, value: number): boolean =>
  value >= from && value <= to && (!whole || Number.isInteger(value))

const wanted = ({ from, to, whole }: Range): string => `must be a ${whole ? 'whole ' : ''}number from ${from} to ${to}`
