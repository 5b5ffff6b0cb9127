/** Cases for every method that answers once. */

import assert from 'node:assert/strict'
import type { Call } from '@sallyport/core'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { repeatabilityCases } from './repeatability.js'
import { abortedCall, abortLimit, abortReason, outcomeWithin, testCall } from './support.js'

/** How the shared cases use a method. */
interface CallSubject<Service extends object, Request, Result> {
  /** The method's name, with which the names of its cases begin. */
  readonly method: string
  /** Two requests with different, deterministic answers, unless the method takes no arguments. */
  readonly request: (facts: ModelFacts, which: 0 | 1) => Request | Promise<Request>
  readonly invoke: (service: Service, request: Request, call: Call) => Promise<Result>
  /** Asserts that two answers are the same; deep equality when absent. */
  readonly assertSame?: (actual: Result, expected: Result) => void
  /** True for a method without arguments, whose requests are all the same. */
  readonly withoutArguments?: boolean
  readonly skipReason?: ConformanceCase['skipReason']
}

export const callCases = <Service extends object, Request, Result>(
  subject: CallSubject<Service, Request, Result>,
): ConformanceCase<Service>[] => {
  const { method, request, invoke, assertSame = assert.deepEqual, skipReason, withoutArguments = false } = subject
  const repeatability = repeatabilityCases<Service, Request, Result>({
    noun: 'calls',
    request,
    answer: (service, input) => invoke(service, input, testCall()),
    abort: (service, input, facts) => outcomeWithin(invoke(service, input, abortedCall()), abortLimit(facts)),
    assertSame,
  })
  return [...abortCases(subject), ...repeatability]
    .filter(({ name }) => !(withoutArguments && name === 'calls side by side do not mix'))
    .map((one) => ({ ...one, name: `${method}: ${one.name}`, ...(skipReason ? { skipReason } : {}) }))
}

const abortCases = <Service extends object, Request, Result>({
  request,
  invoke,
}: CallSubject<Service, Request, Result>): ConformanceCase<Service>[] =>
  cases<Service>({
    'a signal that is aborted beforehand rejects with its reason': async (service, facts) => {
      const outcome = await outcomeWithin(invoke(service, await request(facts, 0), abortedCall()), abortLimit(facts))
      assert.ok('error' in outcome, 'an aborted call was answered, or hangs')
      assert.equal(outcome.error, abortReason, 'the call did not reject with the signal’s reason')
    },
    'an abort ends the call with the signal’s reason, if it has not been answered': async (service, facts) => {
      const controller = new AbortController()
      const input = await request(facts, 0)
      const running = invoke(service, input, testCall({ signal: controller.signal }))
      controller.abort(abortReason)
      const outcome = await outcomeWithin(running, abortLimit(facts))
      assert.ok(!('pending' in outcome), 'the call did not end in time after the abort')
      if ('error' in outcome)
        assert.equal(outcome.error, abortReason, 'the call did not reject with the signal’s reason')
    },
  })
