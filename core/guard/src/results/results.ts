/** Results that models read as they come, such as those of tools. */

import { failure, isSallyportError } from '@sallyport/core'
import type { ForModels, MethodDeclaration, Verdict } from '@sallyport/core'
import type { ActiveCheck, ActiveChecks } from '../policy/active-check.js'
import { joinChecks } from '../policy/effective-policy.js'

/**
 * What is checked of results as of what goes in: the strictest of both sides, so that nothing is replaced twice. What a
 * check cannot look at where it goes in is left to {@link checksBeyondResults}.
 */
export const checksOfResults = ({ input, output }: ActiveChecks): readonly ActiveCheck[] =>
  joinChecks(input, output.filter(goesIn))

/** What is checked behind that: the rest of the output's checks. */
export const checksBeyondResults = ({ output }: ActiveChecks): ActiveChecks => ({
  input: [],
  output: output.filter((check) => !goesIn(check)),
})

const goesIn = ({ definition }: ActiveCheck): boolean => definition.stages.input !== undefined

/** Places in a result are none in what the caller sent. */
export const withoutPlaces = (verdict: Verdict): Verdict => {
  const shown = { ...verdict }
  Reflect.deleteProperty(shown, 'spans')
  return shown
}

/** The result of a method as what a model is asked. */
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

/** What cannot be checked of a request is its caller's mistake; of a result, nobody's. */
export const refuseUnreadable = (error: unknown): never => {
  const isRefused = isSallyportError(error) && (error.code === 'invalid_request' || error.code === 'unsupported')
  throw isRefused
    ? failure('safeguard_unavailable', { problem: 'the result has too many texts' }, { cause: error })
    : error
}
