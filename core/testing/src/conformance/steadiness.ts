/** The answer to a request does not depend on what else happens. */

import assert from 'node:assert/strict'
import { cases } from './case.js'
import type { ConformanceCase } from './case.js'
import type { ModelFacts } from './facts.js'

/** How a method is asked, whether it answers once or streams. */
export interface SteadinessSubject<Service extends object, Request, Answer> {
  /** What stands side by side, for the name of a case. */
  readonly many: 'calls' | 'streams'
  /** Two requests with different answers. */
  readonly request: (facts: ModelFacts, which: 0 | 1) => Request | Promise<Request>
  readonly answer: (service: Service, request: Request) => Promise<Answer>
  /** Asks under a signal that is aborted; returns when that has ended. */
  readonly fail: (service: Service, request: Request, facts: ModelFacts) => Promise<unknown>
  readonly assertSame: (actual: Answer, expected: Answer) => void
}

export const steadinessCases = <Service extends object, Request, Answer>({
  many,
  request,
  answer,
  fail,
  assertSame,
}: SteadinessSubject<Service, Request, Answer>): ConformanceCase<Service>[] =>
  cases<Service>({
    'the request is left as it was': async (service, facts) => {
      const asked = await request(facts, 0)
      const before = structuredClone(asked)
      await answer(service, asked)
      assert.deepEqual(structuredClone(asked), before)
    },
    'the same request gets the same answer': async (service, facts) => {
      const asked = await request(facts, 0)
      assertSame(await answer(service, asked), await answer(service, asked))
    },
    [`${many} side by side do not mix`]: async (service, facts) => {
      const asked = [await request(facts, 0), await request(facts, 1)] as const
      const alone = [await answer(service, asked[0]), await answer(service, asked[1])] as const
      assert.throws(() => assertSame(...alone), 'the two requests have the same answer: other facts are needed')
      const together = await Promise.all([answer(service, asked[0]), answer(service, asked[1])])
      assertSame(together[0], alone[0])
      assertSame(together[1], alone[1])
    },
    'a call that failed does not spoil the next': async (service, facts) => {
      const asked = await request(facts, 0)
      const before = await answer(service, asked)
      await fail(service, asked, facts)
      assertSame(await answer(service, asked), before)
    },
  })
