/** The checks of results that models read, such as those of tools. */

import { failure, isSallyportError } from '@sallyport/core'
import type { ForModels, MethodDeclaration, Verdict } from '@sallyport/core'
import type { ActiveCheck, ActiveChecks } from '../policy/active-check.js'
import { joinChecks } from '../policy/effective-policy.js'

/**
 * The checks that run on results as if they were input. Input and output checks are joined to the stricter of both, so
 * that nothing is replaced twice. Checks without an input stage are left to {@link remainingOutputChecks}.
 */
export const checksOfResults = ({ input, output }: ActiveChecks): readonly ActiveCheck[] =>
  joinChecks(input, output.filter(alsoChecksInput))

/** The output checks that run after those of {@link checksOfResults}. */
export const remainingOutputChecks = ({ output }: ActiveChecks): ActiveChecks => ({
  input: [],
  output: output.filter((check) => !alsoChecksInput(check)),
})

const alsoChecksInput = ({ definition }: ActiveCheck): boolean => definition.stages.input !== undefined

/** The verdict without spans: parts of a listing are checked by themselves, and their paths are not those of the listing. */
export const withoutSpans = ({ spans, ...verdict }: Verdict): Verdict => verdict

/** Declares the result of a method as the request of a model, so that input checks can read it. */
export const asRequest = (
  { result, output }: MethodDeclaration,
  { origin, together = [], recurring = [] }: ForModels,
): MethodDeclaration => ({
  kind: 'call',
  request: result,
  result: {},
  input: output,
  output: {},
  together,
  recurring,
  origins: Object.fromEntries(Object.keys(output).map((field) => [field, origin])),
})

/** Rethrows. An uncheckable request is its caller's mistake, but an uncheckable result is not: it is unavailable. */
export const rethrowAsUnavailable = (error: unknown): never => {
  const isRefused = isSallyportError(error) && (error.code === 'invalid_request' || error.code === 'unsupported')
  throw isRefused
    ? failure('safeguard_unavailable', { problem: 'the result cannot be checked' }, { cause: error })
    : error
}
