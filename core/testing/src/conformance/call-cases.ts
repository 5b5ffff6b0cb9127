/** What holds for every method that answers once. */

import assert from 'node:assert/strict'
import type { Call } from '@sallyport/core'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'
import { steadinessCases } from './steadiness.js'
import { abortedCall, abortLimit, outcomeWithin, testCall, within } from './support.js'

/** How the shared cases use a method. */
export interface CallSubject<Service extends object, Request, Result> {
  /** Stands before the names of the cases. */
  readonly method: string
  /** Two requests with different answers, the same whenever they are asked; unless the method takes no arguments. */
  readonly request: (facts: ModelFacts, which: 0 | 1) => Request | Promise<Request>
  readonly invoke: (service: Service, request: Request, call: Call) => Promise<Result>
  /** Asserts that two answers say the same; exact equality when absent. */
  readonly assertSame?: (actual: Result, expected: Result) => void
  /** The method takes no arguments: every request is the same. */
  readonly withoutArguments?: boolean
  readonly inapplicable?: ConformanceCase['inapplicable']
}

const maxAnswerTime = 60_000

export const callCases = <Service extends object, Request, Result>(
  subject: CallSubject<Service, Request, Result>,
): ConformanceCase<Service>[] => {
  const { method, request, invoke, assertSame = assert.deepEqual, inapplicable, withoutArguments = false } = subject
  const steadiness = steadinessCases<Service, Request, Result>({
    many: 'calls',
    request,
    answer: (service, asked) => within(invoke(service, asked, testCall()), maxAnswerTime, method),
    fail: (service, asked, facts) => outcomeWithin(invoke(service, asked, abortedCall().call), abortLimit(facts)),
    assertSame,
  })
  return [...abortCases(subject), ...steadiness]
    .filter(({ name }) => !(withoutArguments && name === 'calls side by side do not mix'))
    .map((one) => ({ ...one, name: `${method}: ${one.name}`, ...(inapplicable ? { inapplicable } : {}) }))
}

const abortCases = <Service extends object, Request, Result>({
  request,
  invoke,
}: CallSubject<Service, Request, Result>): ConformanceCase<Service>[] =>
  cases<Service>({
    'a signal that is aborted beforehand rejects with its reason': async (service, facts) => {
      const { call, reason } = abortedCall()
      const asked = await request(facts, 0)
      const outcome = await outcomeWithin(invoke(service, asked, call), abortLimit(facts))
      assert.ok('error' in outcome, 'an aborted call was answered, or hangs')
      assert.equal(outcome.error, reason, 'the call did not reject with the signal’s reason')
    },
    'an abort ends the call with the signal’s reason, if it has not been answered': async (service, facts) => {
      const controller = new AbortController()
      const reason = new Error('aborted by the conformance kit')
      const asked = await request(facts, 0)
      const running = invoke(service, asked, testCall({ signal: controller.signal }))
      controller.abort(reason)
      const outcome = await outcomeWithin(running, abortLimit(facts))
      assert.ok(!('pending' in outcome), 'the call did not end in time after the abort')
      if ('error' in outcome) assert.equal(outcome.error, reason, 'the call did not reject with the signal’s reason')
    },
  })
