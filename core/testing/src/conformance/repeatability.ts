/** Cases that require an answer to depend only on the request. */

import assert from 'node:assert/strict'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'

/** How the cases call a method, whether it answers once or streams. */
interface RepeatabilitySubject<Service extends object, Request, Answer> {
  /** The noun in the name of a case. */
  readonly noun: 'calls' | 'streams'
  /** Two requests with different answers. */
  readonly request: (facts: ModelFacts, which: 0 | 1) => Request | Promise<Request>
  readonly answer: (service: Service, request: Request) => Promise<Answer>
  /** Calls the method with an aborted signal; resolves when the call has ended. */
  readonly abort: (service: Service, request: Request, facts: ModelFacts) => Promise<unknown>
  readonly assertSame: (actual: Answer, expected: Answer) => void
}

export const repeatabilityCases = <Service extends object, Request, Answer>({
  noun,
  request,
  answer,
  abort,
  assertSame,
}: RepeatabilitySubject<Service, Request, Answer>): ConformanceCase<Service>[] =>
  cases<Service>({
    'the request is left as it was': async (service, facts) => {
      const before = structuredClone(await request(facts, 0))
      const input = structuredClone(before)
      await answer(service, input)
      assert.deepEqual(input, before)
    },
    'the same request gets the same answer': async (service, facts) => {
      const input = await request(facts, 0)
      assertSame(await answer(service, input), await answer(service, input))
    },
    [`${noun} side by side do not mix`]: async (service, facts) => {
      const input = [await request(facts, 0), await request(facts, 1)] as const
      const alone = [await answer(service, input[0]), await answer(service, input[1])] as const
      assert.throws(() => assertSame(...alone), 'the two requests have the same answer: other facts are needed')
      const together = await Promise.all([answer(service, input[0]), answer(service, input[1])])
      assertSame(together[0], alone[0])
      assertSame(together[1], alone[1])
    },
    'a call that failed does not spoil the next': async (service, facts) => {
      const input = await request(facts, 0)
      const before = await answer(service, input)
      await abort(service, input, facts)
      assertSame(await answer(service, input), before)
    },
  })
